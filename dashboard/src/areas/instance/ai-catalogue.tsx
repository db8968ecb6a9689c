import type { AiCatalogueModel } from '@mainstay/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Plus, RefreshCw } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useAction } from '#api/action.ts';
import { api } from '#api/client.ts';
import { countText } from '#api/numbers.ts';
import { catalogueQuery, priceListsQuery } from '#areas/ai-gateway/data.ts';
import { priceText } from '#areas/ai-gateway/money.ts';
import { AiPriceDialog } from '#areas/instance/ai-price-dialog.tsx';
import { InstanceAiTabs } from '#areas/instance/ai-provider-tabs.tsx';
import { PriceAges } from '#areas/instance/price-ages.tsx';
import { changed, matches } from '#shell/search.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { TryAgain } from '#ui/paged-table.tsx';

const route = getRouteApi('/signed-in/instance/ai/models');
const rowId = ({ id }: AiCatalogueModel) => id;
const sources = { bundled: 'Bundled', file: 'Operator’s list', override: 'Set here' };

/** What is known of models: bundled prices, and what operators have set instead. */
export function AiCatalogue() {
  const search = route.useSearch();
  const { filter, source, sort } = search;
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(catalogueQuery);
  const lists = useQuery(priceListsQuery).data ?? [];
  const fetchPrices = useAction({
    run: () => api.aiProviders.refreshPriceList(),
    refresh: [priceListsQuery.queryKey, catalogueQuery.queryKey, ['ai models']],
    done: ({ failure }) => (failure ? `Prices not fetched: ${failure}` : 'Prices fetched'),
  });
  const [edited, setEdited] = useState<AiCatalogueModel | 'new'>();
  const change = (next: Record<string, string | undefined>) =>
    void navigate({ search: (before) => changed(before, next), replace: true });
  const rows = useMemo(
    () =>
      data
        ?.filter(({ id, name }) => matches(filter, id, name))
        .filter((model) => source === undefined || model.source === source),
    [data, filter, source],
  );
  return (
    <>
      <PageHeader
        title="Models and prices"
        description="Dollars per million tokens. Prices set here override the operator's price list and the bundled one."
        call={{ method: 'GET', path: '/admin/ai-gateway/models' }}
        actions={
          <>
            {lists.some(({ source: kind }) => kind === 'url') && (
              <Button busy={fetchPrices.isPending} onClick={() => fetchPrices.mutate()}>
                <RefreshCw aria-hidden />
                Fetch prices
              </Button>
            )}
            <Button look="primary" onClick={() => setEdited('new')}>
              <Plus aria-hidden />
              Set price
            </Button>
          </>
        }
      />
      <InstanceAiTabs />
      <PriceAges lists={lists} />
      <FilterBar
        label="Filter models"
        search={search}
        onChange={change}
        facets={[
          {
            name: 'source',
            label: 'Source',
            options: Object.entries(sources).map(([value, label]) => ({ value, label })),
          },
        ]}
      />
      {error ? (
        <TryAgain error={error} refetch={refetch} />
      ) : (
        <DataTable
          label="Models and prices"
          rows={rows}
          columns={columns}
          rowId={rowId}
          remember="ai-catalogue"
          sort={sort}
          onSort={(next) => change({ sort: next })}
          onOpen={setEdited}
          empty="No models match the filters."
        />
      )}
      {edited && (
        <AiPriceDialog
          {...(edited === 'new' ? {} : { model: edited })}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  );
}

const columns: Column<AiCatalogueModel>[] = [
  {
    id: 'id',
    header: 'Model',
    fixed: true,
    sortable: true,
    width: '3fr',
    value: ({ id }) => id,
    cell: ({ id }) => <span className="truncate font-medium">{id}</span>,
  },
  {
    id: 'input',
    header: 'Input',
    sortable: true,
    width: '7rem',
    align: 'end',
    value: ({ prices }) => prices?.input ?? null,
    cell: ({ prices }) => <Price prices={prices} micros={prices?.input} />,
  },
  {
    id: 'output',
    header: 'Output',
    sortable: true,
    width: '7rem',
    align: 'end',
    wide: true,
    value: ({ prices }) => prices?.output ?? null,
    cell: ({ prices }) => <Price prices={prices} micros={prices?.output} />,
  },
  {
    id: 'context',
    header: 'Context',
    sortable: true,
    width: '8rem',
    align: 'end',
    wide: true,
    value: ({ contextWindow }) => contextWindow,
    cell: ({ contextWindow }) => (
      <span className="tabular-nums">{contextWindow === null ? '–' : countText(contextWindow)}</span>
    ),
  },
  {
    id: 'source',
    header: 'Source',
    sortable: true,
    width: '7rem',
    wide: true,
    value: ({ source }) => source,
    cell: ({ source }) => (
      <Badge tone={source === 'override' ? 'accent' : 'neutral'}>{sources[source]}</Badge>
    ),
  },
];

function Price({ prices, micros }: { prices: AiCatalogueModel['prices']; micros: number | undefined }) {
  if (prices === null) return <span className="text-warning">Unpriced</span>;
  return <span className="tabular-nums">{priceText(micros)}</span>;
}
