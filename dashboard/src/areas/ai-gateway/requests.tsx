import type { AiUsageEvent } from '@mainstay/sdk';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Download, X } from 'lucide-react';
import { useMemo } from 'react';
import { countText, millisecondsText } from '#api/numbers.ts';
import { searchText } from '#api/pages.ts';
import { AiTabs } from '#areas/ai-gateway/ai-tabs.tsx';
import { Cost } from '#areas/ai-gateway/cost.tsx';
import { aiPath, requestsQuery, summaryQuery, toQuery } from '#areas/ai-gateway/data.ts';
import { useNames } from '#areas/ai-gateway/names.ts';
import { defaultRange, statuses } from '#areas/ai-gateway/search.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { RangeChoice } from '#areas/start/range-choice.tsx';
import { changed } from '#shell/search.ts';
import { Button } from '#ui/button.tsx';
import { buttonClass } from '#ui/button-class.ts';
import type { Column } from '#ui/data-table.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { PagedTable } from '#ui/paged-table.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

const route = getRouteApi('/signed-in/o/$slug/ai/requests');
const rowId = ({ id }: AiUsageEvent) => id;
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
/** Come from a request's own page; chips take them away again. */
const others = [
  ['authenticatedUserId', 'User'],
  ['callerEndUserId', 'End user'],
  ['requestId', 'Request ID'],
] as const;

/** One row for each request to a model, newest first. */
export function Requests() {
  const { id, slug } = useOrganization();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (next: Record<string, string | undefined>) =>
    void navigate({ search: (before) => changed(before, next as never), replace: true });
  const query = useInfiniteQuery(requestsQuery(id, search));
  const { data: summary } = useQuery(summaryQuery(id, search.range));
  const nameOf = useNames(id, 'application');
  const facets = useMemo(() => {
    const known = (rows: readonly { label: string }[] | undefined) =>
      (rows ?? [])
        .filter(({ label }) => label !== 'none')
        .map(({ label }) => ({ value: label, label: nameOf(label) }));
    return [
      {
        name: 'status',
        label: 'Status',
        options: statuses.map((value) => ({ value, label: statusText[value] ?? capital(value) })),
      },
      { name: 'model', label: 'Model', options: known(summary?.byModel) },
      { name: 'provider', label: 'Provider', options: known(summary?.byProvider) },
      { name: 'application', label: 'Application', options: known(summary?.byApplication) },
    ].filter(({ name, options }) => options.length > 0 || name in search);
  }, [summary, nameOf, search]);
  const filters = searchText(toQuery(search));
  return (
    <>
      <PageHeader
        title="AI requests"
        description="Every model request with its attempts, tokens and cost. Prompts and responses are not stored."
        call={{ method: 'GET', path: `${aiPath(id)}/usage/requests${filters}` }}
        actions={
          <a
            href={`${aiPath(id)}/usage/export${filters}`}
            download="ai-usage.csv"
            className={buttonClass({})}
          >
            <Download aria-hidden />
            Export CSV
          </a>
        }
      />
      <AiTabs />
      <FilterBar search={search} onChange={change} facets={facets}>
        <RangeChoice range={search.range ?? defaultRange} onChange={(range) => change({ range })} />
      </FilterBar>
      <div className="mb-3 flex flex-wrap gap-2 empty:hidden">
        {others.map(([name, label]) =>
          search[name] === undefined ? null : (
            <Button key={name} size="sm" onClick={() => change({ [name]: undefined })}>
              <span className="max-w-72 truncate">
                {label}: <strong className="font-medium">{search[name]}</strong>
              </span>
              <X aria-label="Remove this filter" />
            </Button>
          ),
        )}
      </div>
      <PagedTable
        label="AI requests"
        query={query}
        columns={columns}
        rowId={rowId}
        remember="ai-requests"
        onOpen={({ id: eventId }) =>
          void navigate({ to: '/o/$slug/ai/requests/$eventId', params: { slug, eventId }, search: {} })
        }
        empty="No requests match these filters in this time range."
      />
    </>
  );
}

const statusText: Record<string, string> = { success: 'Succeeded', error: 'Failed', cancelled: 'Canceled' };

const columns: Column<AiUsageEvent>[] = [
  {
    id: 'startedAt',
    header: 'Time',
    fixed: true,
    width: '8rem',
    value: ({ startedAt }) => startedAt,
    cell: ({ startedAt }) => <RelativeTime time={startedAt} />,
  },
  {
    id: 'status',
    header: 'Status',
    width: '7.5rem',
    value: ({ status }) => status,
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  {
    id: 'model',
    header: 'Model',
    fixed: true,
    width: '3fr',
    value: ({ modelServed, modelRequested }) => modelServed ?? modelRequested,
    cell: ({ modelServed, modelRequested }) => (
      <span className="truncate font-medium" title={modelServed ?? modelRequested}>
        {modelServed ?? modelRequested}
      </span>
    ),
  },
  { id: 'provider', header: 'Provider', width: '1.5fr', wide: true, value: ({ provider }) => provider ?? '' },
  {
    id: 'error',
    header: 'Error',
    width: '1.5fr',
    wide: true,
    value: ({ errorCode }) => errorCode ?? '',
  },
  {
    id: 'tokens',
    header: 'Tokens',
    width: '6.5rem',
    align: 'end',
    wide: true,
    cell: ({ inputTokens, outputTokens, totalTokens }) => (
      <span className="tabular-nums" title={`${countText(inputTokens)} in, ${countText(outputTokens)} out`}>
        {countText(totalTokens)}
      </span>
    ),
  },
  {
    id: 'cost',
    header: 'Cost',
    width: '7rem',
    align: 'end',
    wide: true,
    cell: ({ billableCostMicros, pricing }) => (
      <Cost micros={billableCostMicros} unknown={pricing === 'unpriced'} />
    ),
  },
  {
    id: 'latency',
    header: 'Latency',
    width: '6.5rem',
    align: 'end',
    wide: true,
    cell: ({ latencyMs }) => <span className="tabular-nums">{millisecondsText(latencyMs)}</span>,
  },
  {
    id: 'attempts',
    header: 'Attempts',
    width: '6rem',
    align: 'end',
    wide: true,
    optional: true,
    cell: ({ providerAttempts }) => (
      <span className="tabular-nums">
        {providerAttempts?.filter(({ tag }) => !tag?.startsWith('skipped:')).length ?? 0}
      </span>
    ),
  },
];
