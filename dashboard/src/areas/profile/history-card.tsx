import { useQuery } from '@tanstack/react-query';
import { historyQuery } from '#areas/profile/data.ts';
import { historySentence } from '#areas/profile/history-sentence.ts';
import { Card } from '#ui/card.tsx';
import { Pending } from '#ui/pending.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

/** What happened to the account. */
export function HistoryCard() {
  const query = useQuery(historyQuery);
  const { data } = query;
  return (
    <Card
      title="History"
      description="Recent activity on your account. If you do not recognize something, change your password and end your other sessions."
    >
      <Pending query={query} className="h-32" />
      {data?.items.length === 0 && <p className="text-muted">Nothing yet.</p>}
      {data && data.items.length > 0 && (
        // What scrolls has to be reached by the keyboard.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
        <ul tabIndex={0} className="max-h-80 divide-y overflow-y-auto rounded-md border" aria-label="History">
          {data.items.map((record) => (
            <li key={record.id} className="flex items-center justify-between gap-3 px-3 py-2">
              <span className="min-w-0 truncate">{historySentence(record)}</span>
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
