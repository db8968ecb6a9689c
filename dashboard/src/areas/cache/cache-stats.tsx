import { useQuery } from '@tanstack/react-query';
import { bytesText, percentText } from '#api/numbers.ts';
import { type OpenCache, statsQuery } from '#areas/cache/data.ts';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

export function CacheStats({ open }: { open: OpenCache }) {
  const { data, error } = useQuery(statsQuery(open));
  if (error) return <ErrorNotice className="mb-4" error={error} />;
  if (!data) return <Skeleton className="mb-5 h-56 w-full lg:h-26" />;
  const asked = data.hits + data.misses;
  const tiles = [
    ['Items', data.items.toLocaleString('en'), `${data.evictions.toLocaleString('en')} evicted`],
    ['Size', bytesText(data.bytes), `of ${bytesText(data.maxBytes)}`],
    ['Hits', data.hits.toLocaleString('en'), `${data.misses.toLocaleString('en')} misses`],
    ['Hit rate', percentText(data.hits, asked), 'of all reads'],
  ] as const;
  return (
    <dl className="mb-5 grid grid-cols-2 gap-4 lg:grid-cols-4">
      {tiles.map(([name, value, note]) => (
        <div key={name} className="rounded-lg border bg-surface p-4">
          <dt className="text-muted">{name}</dt>
          <dd className="mt-1 text-xl font-semibold tracking-tight tabular-nums">{value}</dd>
          <dd className="mt-0.5 text-xs text-faint">{note}</dd>
        </div>
      ))}
    </dl>
  );
}
