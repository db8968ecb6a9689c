import type { RequestStats } from '@mainstay/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import {
  bytesText,
  counted,
  countText,
  hundredthsText,
  millisecondsText,
  percentText,
} from '#api/numbers.ts';
import { searchText } from '#api/pages.ts';
import { useApplication } from '#areas/applications/data.ts';
import { familySeries, statsQuery, topCount } from '#areas/logs/data.ts';
import { LogTabs } from '#areas/logs/log-tabs.tsx';
import { RequestFilters } from '#areas/logs/request-filters.tsx';
import { toQuery } from '#areas/logs/search.ts';
import { Card } from '#ui/card.tsx';
import { Chart } from '#ui/chart.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

const route = getRouteApi('/signed-in/o/$slug/apps/$applicationId/logs/analytics');

export function Analytics() {
  const { id } = useApplication();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (next: Record<string, string | undefined>) =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true });
  const { data, error, isPlaceholderData } = useQuery(statsQuery(id, search, topCount));
  return (
    <>
      <PageHeader
        title="Analytics"
        description="Traffic of this application: volume, latency and top values."
        call={{ method: 'GET', path: `/applications/${id}/requests/stats${searchText(toQuery(search))}` }}
      />
      <LogTabs />
      <RequestFilters search={search} onChange={change} />
      {error && <ErrorNotice error={error} />}
      {!data && !error && <Skeleton className="h-96 w-full" />}
      {data && (
        <div aria-busy={isPlaceholderData} className={isPlaceholderData ? 'opacity-60' : ''}>
          <Charts
            stats={data}
            onRange={(range) =>
              change(
                range
                  ? {
                      from: new Date(range[0] * 1000).toISOString(),
                      to: new Date(range[1] * 1000).toISOString(),
                    }
                  : { from: undefined, to: undefined },
              )
            }
          />
          <div className="mt-4 grid grid-cols-1 gap-4 lg:grid-cols-2">
            <TopCard title="Paths" rows={data.top.paths} onPick={(value) => change({ pathPrefix: value })} />
            <TopCard
              title="Hosts"
              rows={data.top.hostnames}
              onPick={(value) => change({ hostname: value })}
            />
            <TopCard
              title="Countries"
              rows={data.top.countries}
              onPick={(value) => change({ country: value })}
            />
            <TopCard title="Referrers" rows={data.top.referrers} />
            <TopCard title="User agents" rows={data.top.agents} />
          </div>
          {!data.topComplete && (
            <p className="mt-3 text-muted">
              The lists cover only the newest part of this time range because there are too many requests.
            </p>
          )}
        </div>
      )}
    </>
  );
}

function Charts({
  stats: { series, total },
  onRange,
}: {
  stats: RequestStats;
  onRange: (range: [from: number, to: number] | undefined) => void;
}) {
  const charts = useMemo(() => {
    const of = (value: (step: RequestStats['series'][number]) => number | null) => series.map(value);
    return {
      times: series.map(({ at }) => Date.parse(at) / 1000),
      requests: familySeries(series),
      latency: [
        { label: 'p50', values: of(({ p50 }) => p50) },
        { label: 'p95', values: of(({ p95 }) => p95) },
        { label: 'p99', values: of(({ p99 }) => p99) },
      ],
      bytes: [{ label: 'Sent', values: of(({ bytes }) => bytes) }],
      hits: [
        {
          label: 'Hit rate',
          values: of(({ cacheHits, requests }) => (requests > 0 ? (100 * cacheHits) / requests : null)),
        },
      ],
    };
  }, [series]);
  const { times } = charts;
  const failed = total.families['5xx'] + total.families.none;
  const share = total.requests > 0 ? `${percentText(failed, total.requests)} failed` : 'none';
  return (
    <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
      <Card title={counted(total.requests, 'request')} description={share}>
        <Chart
          label="Requests"
          {...{ times, onBrush: onRange }}
          series={charts.requests}
          stacked
          format={countText}
        />
      </Card>
      <Card title={`p95 ${millisecondsText(total.p95)}`} description={`Mean ${millisecondsText(total.mean)}`}>
        <Chart
          label="Latency"
          {...{ times, onBrush: onRange }}
          series={charts.latency}
          format={millisecondsText}
        />
      </Card>
      <Card title={`${bytesText(total.bytes)} sent`} description="Headers and bodies of all responses.">
        <Chart label="Bytes" {...{ times, onBrush: onRange }} series={charts.bytes} format={bytesText} />
      </Card>
      <Card title={`${countText(total.cacheHits)} cache hits`} description="Responses served from a cache.">
        <Chart
          label="Cache hit rate"
          {...{ times, onBrush: onRange }}
          series={charts.hits}
          format={hundredthsText}
        />
      </Card>
    </div>
  );
}

interface TopCardProps {
  title: string;
  rows: RequestStats['top']['paths'];
  /** Narrows everything to that value. */
  onPick?: (value: string) => void;
}

function TopCard({ title, rows, onPick }: TopCardProps) {
  const most = Math.max(1, ...rows.map(({ requests }) => requests));
  return (
    <Card title={title}>
      {rows.length === 0 ? (
        <p className="text-muted">No data in this time range.</p>
      ) : (
        <ul className="space-y-1">
          {rows.map(({ value, requests, errors }) => (
            <li key={value ?? ''} className="relative flex min-h-7 items-center justify-between gap-3 px-2">
              <span
                aria-hidden
                className="absolute inset-y-0 left-0 rounded-sm bg-accent-soft"
                style={{ width: `${(100 * requests) / most}%` }}
              />
              {value !== null && onPick ? (
                <button
                  type="button"
                  className="relative min-h-6 min-w-0 truncate rounded-sm text-left hover:underline pointer-coarse:min-h-11 pointer-coarse:min-w-11"
                  onClick={() => onPick(value)}
                >
                  {value}
                </button>
              ) : (
                <span className="relative min-w-0 truncate">{value ?? 'None'}</span>
              )}
              <span className="relative shrink-0 tabular-nums">
                {errors > 0 && <span className="mr-2 text-danger">{countText(errors)} failed</span>}
                {countText(requests)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
