import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { latestQuery } from '#areas/applications/queries.ts';
import { DeploymentState } from '#areas/deployments/deployment-state.tsx';
import { useOrganization } from '#areas/organizations/data.ts';
import { buttonClass } from '#ui/button-class.ts';
import { Card } from '#ui/card.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

const shown = 6;

/** Applications that were deployed last: what is live, and since when. */
export function LiveApplications() {
  const { id, slug } = useOrganization();
  const { data } = useQuery(latestQuery(id));
  if (!data || data.length === 0) return null;
  return (
    <Card
      className="mt-4"
      title="Applications"
      description="Live deployments of your applications."
      actions={
        <Link to="/o/$slug/apps" params={{ slug }} className={buttonClass({ size: 'sm' })}>
          View all
        </Link>
      }
    >
      <ul aria-label="Applications" className="divide-y rounded-md border">
        {data.slice(0, shown).map((one) => (
          <li key={one.applicationId} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
            <Link
              to="/o/$slug/apps/$applicationId"
              params={{ slug, applicationId: one.applicationId }}
              className="inline-flex min-h-6 min-w-0 items-center truncate font-medium hover:underline pointer-coarse:min-h-11"
            >
              {one.applicationName}
            </Link>
            <DeploymentState latest={one} />
            {one.hostname && (
              <a
                href={`${location.protocol}//${one.hostname}/`}
                target="_blank"
                rel="noreferrer"
                className="inline-flex min-w-0 flex-1 items-center truncate text-muted hover:text-ink hover:underline pointer-coarse:min-h-11"
              >
                {one.hostname}
              </a>
            )}
            <span className="ml-auto shrink-0 text-muted">
              {one.live ? (
                <>
                  Live since <RelativeTime time={one.live.activeAt} />
                </>
              ) : (
                <RelativeTime time={one.latest.createdAt} />
              )}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
