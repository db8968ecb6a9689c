import type { AiModel } from '@mainstay/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Boxes } from 'lucide-react';
import { useMemo } from 'react';
import { countText } from '#api/numbers.ts';
import { AiTabs } from '#areas/ai-gateway/ai-tabs.tsx';
import { modelsQuery } from '#areas/ai-gateway/data.ts';
import { priceText } from '#areas/ai-gateway/money.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { changed, matches } from '#shell/search.ts';
import { Badge } from '#ui/badge.tsx';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { TryAgain } from '#ui/paged-table.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

const route = getRouteApi('/signed-in/o/$slug/ai/models');
const rowId = ({ id }: AiModel) => id;
const capabilities = [
  { value: 'tools', label: 'Tools' },
  { value: 'vision', label: 'Vision' },
  { value: 'json_mode', label: 'JSON' },
  { value: 'streaming', label: 'Streaming' },
  { value: 'priced', label: 'Has a price' },
] as const;

/** What the organization can use now, with what it costs. */
export function Models() {
  const { id, slug } = useOrganization();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(modelsQuery(id));
  const { filter, owner, capability, zdr, sort } = search;
  const change = (next: Record<string, string | undefined>) =>
    void navigate({ search: (before) => changed(before, next), replace: true });
  const rows = useMemo(
    () =>
      data
        ?.filter((model) => matches(filter, model.id, model.name, model.description ?? ''))
        .filter((model) => owner === undefined || model.owned_by === owner)
        .filter((model) => capability === undefined || has(model, capability))
        .filter((model) => zdr === undefined || model.zdrProviders.length > 0),
    [data, filter, owner, capability, zdr],
  );
  const facets = useMemo(
    () => [
      {
        name: 'owner',
        label: 'Owner',
        options: [...new Set(data?.map(({ owned_by }) => owned_by))]
          .sort()
          .map((value) => ({ value, label: value })),
      },
      { name: 'capability', label: 'Capability', options: capabilities },
      { name: 'zdr', label: 'Data retention', options: [{ value: 'true', label: 'Zero data retention' }] },
    ],
    [data],
  );
  return (
    <>
      <PageHeader
        title="AI models"
        description="Models available to this organization. Prices are in dollars per million tokens."
        call={{ method: 'GET', path: '/ai/v1/models' }}
      />
      <AiTabs />
      {error && <TryAgain error={error} refetch={refetch} />}
      {data?.length === 0 && (
        <EmptyState icon={<Boxes />} title="No models yet">
          Models appear when a provider serves them: one configured by your operator for all organizations, or
          one that you add with your own key under Providers. Policies can also hide models.
        </EmptyState>
      )}
      {!error && data?.length !== 0 && (
        <>
          <FilterBar label="Filter models" search={search} onChange={change} facets={facets} />
          <DataTable
            label="AI models"
            rows={rows}
            columns={columns}
            rowId={rowId}
            remember="ai-models"
            sort={sort}
            onSort={(next) => change({ sort: next })}
            onOpen={(model) =>
              void navigate({ to: '/o/$slug/ai/playground', params: { slug }, search: { model: model.id } })
            }
            empty="No models match the filters."
          />
        </>
      )}
    </>
  );
}

function has({ capabilities, prices }: AiModel, wanted: string): boolean {
  if (wanted === 'priced') return prices !== null;
  return capabilities[wanted as keyof AiModel['capabilities']] === true;
}

const columns: Column<AiModel>[] = [
  {
    id: 'id',
    header: 'Model',
    fixed: true,
    sortable: true,
    width: '3fr',
    value: ({ id }) => id,
    cell: ({ id, name }) => (
      <span className="truncate font-medium" title={name}>
        {id}
      </span>
    ),
  },
  {
    id: 'input',
    header: 'Input',
    sortable: true,
    width: '6.5rem',
    align: 'end',
    value: ({ prices }) => prices?.input ?? null,
    cell: ({ prices }) => <Price known={prices !== null} micros={prices?.input} />,
  },
  {
    id: 'output',
    header: 'Output',
    sortable: true,
    width: '6.5rem',
    align: 'end',
    wide: true,
    value: ({ prices }) => prices?.output ?? null,
    cell: ({ prices }) => <Price known={prices !== null} micros={prices?.output} />,
  },
  {
    id: 'cached',
    header: 'Cached input',
    sortable: true,
    width: '7.5rem',
    align: 'end',
    wide: true,
    optional: true,
    value: ({ prices }) => prices?.cachedInput ?? null,
    cell: ({ prices }) => <Price known={prices !== null} micros={prices?.cachedInput} />,
  },
  {
    id: 'priced',
    header: 'Priced as of',
    sortable: true,
    width: '8rem',
    wide: true,
    value: ({ prices }) => prices?.asOf ?? null,
    cell: ({ prices }) => <RelativeTime time={prices?.asOf ?? null} never="–" />,
  },
  {
    id: 'context',
    header: 'Context',
    sortable: true,
    width: '7rem',
    align: 'end',
    wide: true,
    value: ({ contextWindow }) => contextWindow,
    cell: ({ contextWindow }) => (
      <span className="tabular-nums">{contextWindow === null ? '–' : countText(contextWindow)}</span>
    ),
  },
  {
    id: 'capabilities',
    header: 'Capabilities',
    width: '2.5fr',
    wide: true,
    cell: (model) => (
      <span className="flex gap-1 overflow-hidden">
        {capabilities
          .filter(({ value }) => value !== 'priced' && value !== 'streaming' && has(model, value))
          .map(({ value, label }) => (
            <Badge key={value}>{label}</Badge>
          ))}
        {model.zdrProviders.length > 0 && <Badge tone="success">ZDR</Badge>}
      </span>
    ),
  },
  {
    id: 'providers',
    header: 'Served by',
    width: '2fr',
    wide: true,
    value: ({ routingProviders }) => routingProviders.join(', '),
  },
];

function Price({ known, micros }: { known: boolean; micros: number | null | undefined }) {
  if (!known) return <span className="text-warning">Unpriced</span>;
  return <span className="tabular-nums">{priceText(micros)}</span>;
}
