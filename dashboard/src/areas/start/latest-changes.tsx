import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '#api/client.ts';
import { ActorName } from '#areas/audit-log/actor-name.tsx';
import { targetText } from '#areas/audit-log/target-text.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { buttonClass } from '#ui/button-class.ts';
import { Card } from '#ui/card.tsx';
import { Pending } from '#ui/pending.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

const limit = 6;

/** The end of the audit log. */
export function LatestChanges() {
  const { id, slug } = useOrganization();
  const query = useQuery({
    queryKey: ['audit log', id, 'latest'],
    queryFn: ({ signal }) => api.auditLog.list(id, { limit }, { signal }).then((page) => page),
  });
  const { data } = query;
  return (
    <Card
      className="mt-6"
      title="Latest changes"
      actions={
        <Link to="/o/$slug/audit-log" params={{ slug }} className={buttonClass({ size: 'sm' })}>
          Audit log
        </Link>
      }
    >
      <Pending query={query} className="h-32" />
      {data?.items.length === 0 && <p className="text-muted">Nothing was changed yet.</p>}
      {data && data.items.length > 0 && (
        <ul className="divide-y rounded-md border" aria-label="Latest changes">
          {data.items.map((record) => (
            <li key={record.id} className="flex items-center gap-3 px-3 py-2">
              <span className="min-w-0 flex-1 sm:flex sm:gap-3">
                <span className="block truncate font-mono text-xs leading-5 sm:w-2/5">{record.action}</span>
                <span className="block min-w-0 flex-1 truncate text-muted">{targetText(record)}</span>
              </span>
              <span className="hidden w-44 truncate sm:block">
                <ActorName actor={record.actor} />
              </span>
              <span className="w-24 shrink-0 text-right text-muted">
                <RelativeTime time={record.createdAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
