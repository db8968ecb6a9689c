import type { Deployment } from '@mainstay/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { deploymentQuery } from '#areas/deployments/data.ts';
import { DeploymentActions } from '#areas/deployments/deployment-actions.tsx';
import { useOrganization } from '#areas/organizations/data.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { Notice } from '#ui/error-notice.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';
import { TabLinks } from '#ui/tabs.tsx';

const route = getRouteApi('/signed-in/o/$slug/apps/$applicationId');

/** One deployment: its name, its state and what can be done with it, above each of its screens. */
export function DeploymentFrame({
  deploymentId,
  children,
}: {
  deploymentId: string;
  children: (deployment: Deployment) => ReactNode;
}) {
  const { slug } = useOrganization();
  const can = useCan();
  const { applicationId } = route.useParams();
  const { data: deployment, error } = useQuery(deploymentQuery(deploymentId));
  if (!deployment) {
    if (error) throw error;
    return null;
  }
  const { id, status, reason, live, crashReason } = deployment;
  const params = { slug, applicationId, deploymentId };
  const base = '/o/$slug/apps/$applicationId/deployments/$deploymentId' as const;
  return (
    <>
      <PageHeader
        title={`Deployment ${id.slice(-8)}`}
        description={reason?.split('\n')[0] ?? 'Status, build log, contents and hostnames.'}
        badge={<StatusBadge status={live ? 'live' : status} {...(live ? { text: 'Live' } : {})} />}
        call={{ method: 'GET', path: `/deployments/${id}` }}
        actions={<DeploymentActions deployment={deployment} />}
      />
      <TabLinks
        label="Deployment"
        tabs={[
          { text: 'Build log', link: { to: base, params } },
          ...(can('listDeploymentRuntimeLogs')
            ? [
                { text: 'Runtime logs', link: { to: `${base}/logs` as const, params } },
                { text: 'Metrics', link: { to: `${base}/metrics` as const, params } },
              ]
            : []),
          { text: 'Files and functions', link: { to: `${base}/files`, params } },
          { text: 'Routes', link: { to: `${base}/routes`, params } },
          { text: 'Variables', link: { to: `${base}/variables`, params } },
        ]}
      />
      {crashReason !== null && (
        <div className="mb-4">
          <Notice tone="warning">{crashReason}</Notice>
        </div>
      )}
      {children(deployment)}
    </>
  );
}
