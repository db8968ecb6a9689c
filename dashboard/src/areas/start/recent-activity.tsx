import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '#api/client.ts';
import { ActorName } from '#areas/audit-log/actor-name.tsx';
import { activityText } from '#areas/audit-log/sentence.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { buttonClass } from '#ui/button-class.ts';
import { Card } from '#ui/card.tsx';
import { Pending } from '#ui/pending.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

const limit = 8;

/** The end of the audit log, in words. */
export function RecentActivity() {
  const { id, slug } = useOrganization();
  const query = useQuery({
    queryKey: ['audit log', id, 'latest'],
    queryFn: ({ signal }) => api.auditLog.list(id, { limit }, { signal }).then((page) => page),
    // Whatever was changed on another screen is to be seen at once on coming back.
    staleTime: 0,
    refetchInterval: 15_000,
  });
  const { data } = query;
  return (
    <Card
      className="mt-4"
      title="Recent activity"
      actions={
        <Link to="/o/$slug/audit-log" params={{ slug }} className={buttonClass({ size: 'sm' })}>
          View audit log
        </Link>
      }
    >
      <Pending query={query} className="h-32" />
      {data?.items.length === 0 && <p className="text-muted">No activity yet.</p>}
      {data && data.items.length > 0 && (
        <ul className="divide-y rounded-md border" aria-label="Recent activity">
          {data.items.map((record) => (
            <li key={record.id} className="flex items-baseline gap-3 px-3 py-2">
              <span className="min-w-0 flex-1 wrap-anywhere">
                <span className="font-medium">
                  <ActorName actor={record.actor} />
                </span>{' '}
                {activityText(record)}
              </span>
              <span className="shrink-0 text-muted">
                <RelativeTime time={record.createdAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
