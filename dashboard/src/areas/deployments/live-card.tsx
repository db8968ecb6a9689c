import type { Deployment } from '@mainstay/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ExternalLink } from 'lucide-react';
import { useApplication, useEnvironments } from '#areas/applications/data.ts';
import { hostnamesQuery } from '#areas/applications/queries.ts';
import { liveQuery } from '#areas/deployments/data.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { Mono } from '#ui/code-block.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

/** What is live in each environment, since when, and where. */
export function LiveCard() {
  const { slug } = useOrganization();
  const { id: applicationId } = useApplication();
  const environments = useEnvironments();
  const { data: live } = useQuery(liveQuery(applicationId));
  const { data: hostnames } = useQuery(hostnamesQuery(applicationId));
  return (
    <Card title="Environments">
      <ul className="divide-y rounded-md border">
        {environments.map((environment) => {
          const one = live?.find(({ environmentId }) => environmentId === environment.id);
          const host = one && hostOf(one, hostnames?.items ?? []);
          return (
            <li key={environment.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2.5">
              <span className="w-28 font-medium">{environment.name}</span>
              {one ? (
                <>
                  <StatusBadge status="live" text="Live" />
                  {environment.alwaysOn && <Badge>Always on</Badge>}
                  <Link
                    to="/o/$slug/apps/$applicationId/deployments/$deploymentId"
                    params={{ slug, applicationId, deploymentId: one.id }}
                    className="inline-flex items-center hover:underline pointer-coarse:min-h-11"
                  >
                    <Mono>{one.id.slice(-8)}</Mono>
                  </Link>
                  <span className="text-muted">{one.branch}</span>
                  <span className="text-muted">
                    <RelativeTime time={one.activeAt ?? one.createdAt} />
                  </span>
                  {host && (
                    <a
                      href={`${location.protocol}//${host}/`}
                      target="_blank"
                      rel="noreferrer"
                      className="ml-auto inline-flex min-w-0 items-center gap-1 underline wrap-anywhere pointer-coarse:min-h-11"
                    >
                      {host}
                      <ExternalLink aria-hidden className="size-3.5 shrink-0" />
                    </a>
                  )}
                </>
              ) : (
                <span className="text-muted">{live ? 'Nothing live' : ''}</span>
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

function hostOf(
  { id }: Deployment,
  hostnames: readonly { hostname: string; type: string; deploymentId: string | null }[],
): string | undefined {
  const own = hostnames.filter(({ deploymentId }) => deploymentId === id);
  return (own.find(({ type }) => type === 'APP') ?? own.find(({ type }) => type === 'BRANCH') ?? own[0])
    ?.hostname;
}
