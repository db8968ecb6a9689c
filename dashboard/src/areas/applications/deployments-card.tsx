import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useApplication, useEnvironments } from '#areas/applications/data.ts';
import { deploymentsQuery } from '#areas/deployments/data.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { buttonClass } from '#ui/button-class.ts';
import { Card } from '#ui/card.tsx';
import { Pending } from '#ui/pending.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

const shown = 5;
const onePath = '/o/$slug/apps/$applicationId/deployments/$deploymentId' as const;

/** The newest of them, whatever became of them. */
export function LastDeploymentsCard() {
  const { slug } = useOrganization();
  const { id: applicationId } = useApplication();
  const environments = useEnvironments();
  const query = useInfiniteQuery(deploymentsQuery(applicationId));
  const items = query.data?.pages[0]?.items.slice(0, shown);
  if (items?.length === 0) return null;
  return (
    <Card
      title="Last deployments"
      actions={
        <Link
          to="/o/$slug/apps/$applicationId/deployments"
          params={{ slug, applicationId }}
          className={buttonClass({ size: 'sm' })}
        >
          View all
        </Link>
      }
    >
      <Pending query={query} className="h-40" />
      <ul aria-label="Last deployments" className="divide-y rounded-md border">
        {items?.map((one) => (
          <li key={one.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
            <Link
              to={onePath}
              params={{ slug, applicationId, deploymentId: one.id }}
              className="inline-flex min-h-6 items-center font-mono text-xs hover:underline pointer-coarse:min-h-11"
            >
              {one.id.slice(-8)}
            </Link>
            <StatusBadge status={one.live ? 'live' : one.status} />
            <span className="min-w-0 flex-1 truncate text-muted">
              {[environments.find(({ id }) => id === one.environmentId)?.name, one.branch]
                .filter(Boolean)
                .join(' · ')}
            </span>
            <span className="shrink-0 text-muted">
              <RelativeTime time={one.createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
