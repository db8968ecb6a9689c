import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { countText, millisecondsText } from '#api/numbers.ts';
import { familySeries, statsQuery } from '#areas/logs/data.ts';
import type { LogsSearch } from '#areas/logs/search.ts';
import { Chart } from '#ui/chart.tsx';
import { TryAgain } from '#ui/paged-table.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

interface RequestHistogramProps {
  applicationId: string;
  search: LogsSearch;
  onRange: (range: { from: string; to: string } | undefined) => void;
}

/** How many requests there were, by how they ended; drawing over a part of it narrows everything to that time. */
export function RequestHistogram({ applicationId, search, onRange }: RequestHistogramProps) {
  const { data, error, refetch } = useQuery({
    ...statsQuery(applicationId, search, 0),
    refetchInterval: 30_000,
  });
  const chart = useMemo(() => {
    if (!data) return undefined;
    const { series } = data;
    return { times: series.map(({ at }) => Date.parse(at) / 1000), series: familySeries(series) };
  }, [data]);
  if (error && !data) {
    return (
      <div className="mb-4">
        <TryAgain error={error} refetch={refetch} />
      </div>
    );
  }
  if (!data || !chart) return <Skeleton className="mb-4 h-48 w-full" />;
  const { total } = data;
  const failed = total.families['5xx'] + total.families.none;
  return (
    <div className="mb-4 rounded-lg border bg-surface p-4">
      <Chart
        label="Requests"
        {...chart}
        stacked
        format={countText}
        height={120}
        onBrush={(range) =>
          onRange(
            range && {
              from: new Date(range[0] * 1000).toISOString(),
              to: new Date(range[1] * 1000).toISOString(),
            },
          )
        }
      />
      <p className="mt-2 text-muted" role="status">
        {countText(total.requests)} requests, {countText(failed)} failed, p95 {millisecondsText(total.p95)}
        {total.dropped > 0 && `, ${countText(total.dropped)} could not be logged`}
      </p>
    </div>
  );
}
