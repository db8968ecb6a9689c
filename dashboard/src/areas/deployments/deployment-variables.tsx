import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { usedVariablesQuery } from '#areas/deployments/data.ts';
import { DeploymentFrame } from '#areas/deployments/deployment-frame.tsx';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { Mono } from '#ui/code-block.tsx';
import { EmptyState } from '#ui/empty-state.tsx';

const route = getRouteApi('/signed-in/o/$slug/apps/$applicationId/deployments/$deploymentId/variables');

const sources = {
  organization: 'Organization',
  application: 'Application',
  environment: 'Environment',
  configuration: 'Configuration file',
  platform: 'Set by Mainstay',
  service: 'Service',
} as const;

export function DeploymentVariables() {
  const { deploymentId } = route.useParams();
  return (
    <DeploymentFrame deploymentId={deploymentId}>
      {(deployment) => <Used key={deployment.status} id={deployment.id} status={deployment.status} />}
    </DeploymentFrame>
  );
}

function Used({ id, status }: { id: string; status: string }) {
  const { data } = useQuery(usedVariablesQuery(id, status));
  if (!data) return null;
  if (data.items.length === 0)
    return (
      <EmptyState icon={<KeyRound />} title="No variables">
        A deployment keeps the variables it was deployed with, and a rollback restores them. They appear here
        once it is active.
      </EmptyState>
    );
  return (
    <Card
      title="Variables"
      description="Names and sources of the variables it was deployed with. Redeploy to use current values."
    >
      <ul className="divide-y rounded-md border">
        {data.items.map(({ key, source, sensitive }) => (
          <li key={key} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
            <Mono>{key}</Mono>
            {sensitive && <Badge>Sensitive</Badge>}
            <span className="ml-auto text-muted">{sources[source]}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
