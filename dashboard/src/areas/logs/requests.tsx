import type { RequestLog } from '@mainstay/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Download, Radio } from 'lucide-react';
import { useMemo, useState } from 'react';
import { api } from '#api/client.ts';
import { countText } from '#api/numbers.ts';
import { searchText } from '#api/pages.ts';
import { useApplication } from '#areas/applications/data.ts';
import { requestsQuery } from '#areas/logs/data.ts';
import { LogTabs } from '#areas/logs/log-tabs.tsx';
import { requestColumns } from '#areas/logs/request-columns.tsx';
import { RequestDialog } from '#areas/logs/request-details.tsx';
import { RequestFilters } from '#areas/logs/request-filters.tsx';
import { RequestHistogram } from '#areas/logs/request-histogram.tsx';
import { toQuery } from '#areas/logs/search.ts';
import { useTail } from '#areas/logs/use-tail.ts';
import { Button } from '#ui/button.tsx';
import { DataTable } from '#ui/data-table.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { TryAgain } from '#ui/paged-table.tsx';
import { toast } from '#ui/toast.ts';

const route = getRouteApi('/signed-in/o/$slug/apps/$applicationId/logs');
const rowId = ({ id }: RequestLog) => id;
/** Both newest first; what both have is among the first of the older ones. */
function withNewer(newer: readonly RequestLog[], rows: readonly RequestLog[]): readonly RequestLog[] {
  if (newer.length === 0) return rows;
  const known = new Set(rows.slice(0, 1000).map(rowId));
  const since = newer.filter((row) => !known.has(row.id));
  return since.length === 0 ? rows : [...since, ...rows];
}

/** More than anybody reads, and as much as a browser holds with ease. */
const maxRows = 100_000;

export function Requests() {
  const { id } = useApplication();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (next: Record<string, string | undefined>) =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true });
  const isLive = search.live === 'on';
  const { live: _live, request: _request, ...filters } = search;
  const shown = JSON.stringify([id, filters]);
  const tail = useTail<RequestLog>({
    of: shown,
    isOn: isLive,
    open: (signal) => {
      const { from: _from, to: _to, ...query } = toQuery(search);
      return api.requestLogs.stream(id, query, { signal });
    },
  });
  const query = useInfiniteQuery(requestsQuery(id, search));
  const { data, error, hasNextPage, isFetchingNextPage, isPlaceholderData, fetchNextPage, refetch } = query;
  const [all, setAll] = useState<{ of: string; rows: readonly RequestLog[] }>();
  const loaded = useMemo(() => {
    // The pages are read again now and then: the first one has what came since everything was loaded.
    if (all?.of === shown) return withNewer(data?.pages[0]?.items ?? [], all.rows);
    return data?.pages.flatMap(({ items }) => items);
  }, [data, all, shown]);
  const rows = useMemo(() => loaded && withNewer(tail.rows, loaded), [loaded, tail.rows]);
  const loadAll = async () => {
    try {
      const found: RequestLog[] = [];
      for await (const row of await api.requestLogs.export(id, { ...toQuery(search), limit: maxRows }))
        found.push(row);
      setAll({ of: shown, rows: found });
    } catch (failure) {
      toast.failed(failure);
    }
  };
  const total = data?.pages[0]?.total ?? 0;
  // Exact up to this, the API says no more.
  const isCapped = total >= 10_000;
  const hasMore = hasNextPage && all?.of !== shown;
  return (
    <>
      <PageHeader
        title="Logs"
        description="Requests to deployments, stored objects and the S3 endpoint of this application, newest first."
        call={{ method: 'GET', path: `/applications/${id}/requests${searchText(toQuery(search))}` }}
        actions={
          <Button aria-pressed={isLive} onClick={() => change({ live: isLive ? undefined : 'on' })}>
            <Radio aria-hidden className={tail.isOpen ? 'text-accent' : ''} />
            {isLive ? 'Stop live' : 'Go live'}
          </Button>
        }
      />
      <LogTabs />
      <RequestFilters search={search} onChange={change} />
      <RequestHistogram
        applicationId={id}
        search={search}
        onRange={(range) => change(range ?? { from: undefined, to: undefined })}
      />
      {error ? (
        <TryAgain error={error} refetch={refetch} />
      ) : (
        <div aria-busy={isPlaceholderData} className={isPlaceholderData ? 'opacity-60' : ''}>
          <DataTable
            label="Requests"
            rows={rows}
            columns={requestColumns}
            rowId={rowId}
            remember="requests"
            onOpen={(row) => change({ request: row.id })}
            empty="No requests match these filters in this time range."
          />
          {rows && (
            <div className="mt-2.5 flex min-h-7 flex-wrap items-center justify-between gap-3 px-1 text-muted">
              <span role="status">
                {countText(rows.length)} of {countText(Math.max(total, rows.length))}
                {isCapped && rows.length <= total ? '+' : ''}
              </span>
              {hasMore && (
                <span className="flex gap-2">
                  <Button size="sm" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                    Load more
                  </Button>
                  <Button size="sm" onClick={() => void loadAll()}>
                    <Download aria-hidden />
                    Load all
                  </Button>
                </span>
              )}
            </div>
          )}
        </div>
      )}
      {search.request !== undefined && (
        <RequestDialog
          applicationId={id}
          requestId={search.request}
          onClose={() => change({ request: undefined })}
          onFilter={(filters) => change({ ...filters, request: undefined })}
        />
      )}
    </>
  );
}
