import type { Deployment } from '@mainstay/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEnvironments } from '#areas/applications/data.ts';
import { hostnamesOfQuery, isOver } from '#areas/deployments/data.ts';
import { DeploymentFrame } from '#areas/deployments/deployment-frame.tsx';
import { durationText } from '#areas/deployments/duration.ts';
import { useStartedBy } from '#areas/deployments/started-by.ts';
import { Steps } from '#areas/deployments/steps.tsx';
import { useBuildLog } from '#areas/deployments/use-build-log.ts';
import { Card } from '#ui/card.tsx';
import { Mono } from '#ui/code-block.tsx';
import { Facts } from '#ui/facts.tsx';
import { LogView } from '#ui/log-view.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

const route = getRouteApi('/signed-in/o/$slug/apps/$applicationId/deployments/$deploymentId');

export function DeploymentPage() {
  const { deploymentId } = route.useParams();
  return (
    <DeploymentFrame deploymentId={deploymentId}>
      {(deployment) => <BuildLog deployment={deployment} />}
    </DeploymentFrame>
  );
}

function BuildLog({ deployment }: { deployment: Deployment }) {
  const { id, status } = deployment;
  const environments = useEnvironments();
  const startedBy = useStartedBy();
  const log = useBuildLog(deployment);
  const { data: hostnames } = useQuery(hostnamesOfQuery(id, `${status} ${deployment.live}`));
  const lines = log.map(({ type, createdAt, ...line }) => ({
    ...line,
    level: type,
    time: createdAt,
  }));
  const environment = environments.find((one) => one.id === deployment.environmentId);
  return (
    <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
      <Card title="Build log">
        <Steps deployment={deployment} lines={lines} />
        <LogView label="Build log" lines={lines} live={!isOver(deployment)} empty="No output yet." />
      </Card>
      <Card title="About">
        <Facts
          facts={[
            ...(hostnames?.items ?? []).map(
              ({ hostname }) =>
                [
                  'Hostname',
                  <a
                    key={hostname}
                    href={`${location.protocol}//${hostname}/`}
                    target="_blank"
                    rel="noreferrer"
                    className="underline"
                  >
                    {hostname}
                  </a>,
                ] as const,
            ),
            ['Environment', environment?.name],
            ['Branch', deployment.branch],
            ['Commit', deployment.gitSha && <Mono key="sha">{deployment.gitSha.slice(0, 12)}</Mono>],
            ['Framework', (deployment.summary as { framework?: string | null } | null)?.framework],
            ['Duration', durationText(deployment)],
            ['Started by', startedBy(deployment)],
            ['Created', <RelativeTime key="created" time={deployment.createdAt} />],
            [
              'Deployment ID',
              <Mono key="id" copy>
                {id}
              </Mono>,
            ],
          ]}
        />
      </Card>
    </div>
  );
}
