import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Radio } from 'lucide-react';
import { useMemo } from 'react';
import { api } from '#api/client.ts';
import { countText } from '#api/numbers.ts';
import { functionsQuery, type RuntimeLine, runtimeLogsQuery } from '#areas/deployments/data.ts';
import { type RuntimeSearch, toFilters } from '#areas/deployments/search.ts';
import { type Change, RangeField } from '#areas/logs/range-field.tsx';
import { useTail } from '#areas/logs/use-tail.ts';
import { Button } from '#ui/button.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { LogView } from '#ui/log-view.tsx';
import { TryAgain } from '#ui/paged-table.tsx';

const levels = ['ERROR', 'WARN', 'INFO', 'DEBUG'].map((value) => ({
  value,
  label: value.charAt(0) + value.slice(1).toLowerCase(),
}));

interface RuntimeLogsProps {
  deploymentId: string;
  /** It has been built, so that its functions are known. */
  isBuilt: boolean;
  search: RuntimeSearch;
  onChange: Change;
}

/** What the functions of a deployment print: the last lines of a time, and those that come while it is live. */
export function RuntimeLogs({ deploymentId, isBuilt, search, onChange }: RuntimeLogsProps) {
  const isLive = search.live === 'on';
  const filters = toFilters(search);
  const facets = useFunctionFacet(deploymentId, isBuilt, search.function);
  const query = useInfiniteQuery(runtimeLogsQuery(deploymentId, search));
  const { data, error, hasNextPage, isFetchingNextPage, isPlaceholderData, fetchNextPage, refetch } = query;
  const tail = useTail<RuntimeLine>({
    of: JSON.stringify([deploymentId, filters]),
    isOn: isLive,
    open: (signal) => api.deployments.streamRuntimeLogs(deploymentId, filters, { signal }),
  });
  const lines = useMemo(() => {
    const loaded = data?.pages.flatMap(({ items }) => items) ?? [];
    const known = new Set(loaded.map(({ id }) => id));
    const newest = tail.rows.filter(({ id }) => !known.has(id));
    return [...newest, ...loaded].toReversed().map(({ createdAt, function: source, ...line }) => ({
      ...line,
      time: createdAt,
      source: search.function === undefined ? source : null,
    }));
  }, [data, tail.rows, search.function]);
  // Exact up to 10,000, the API says no more.
  const total = data?.pages[0]?.total ?? 0;
  return (
    <>
      <FilterBar
        label="Search runtime logs"
        search={search}
        onChange={onChange}
        facets={[{ name: 'level', label: 'Level', options: levels }, ...facets]}
      >
        <RangeField search={search} onChange={onChange} />
        <Button aria-pressed={isLive} onClick={() => onChange({ live: isLive ? undefined : 'on' })}>
          <Radio aria-hidden className={tail.isOpen ? 'text-accent' : ''} />
          {isLive ? 'Stop live' : 'Go live'}
        </Button>
      </FilterBar>
      {error ? (
        <TryAgain error={error} refetch={refetch} />
      ) : (
        <div aria-busy={isPlaceholderData} className={isPlaceholderData ? 'opacity-60' : ''}>
          <LogView
            label="Runtime logs"
            lines={lines}
            live={isLive}
            atEnd
            empty={data ? 'No lines match these filters in this time range.' : 'Loading lines…'}
            controls={
              hasNextPage && (
                <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                  Load older lines of {countText(total)}
                  {total >= 10_000 ? '+' : ''}
                </Button>
              )
            }
          />
        </div>
      )}
    </>
  );
}

/** Narrows a screen down to one function, where there are several. */
export function useFunctionFacet(deploymentId: string, isBuilt: boolean, chosen: string | undefined) {
  const { data } = useQuery({ ...functionsQuery(deploymentId), enabled: isBuilt });
  const names = data?.items.map(({ name }) => name) ?? [];
  if (names.length < 2 && chosen === undefined) return [];
  return [{ name: 'function', label: 'Function', options: names.map((value) => ({ value, label: value })) }];
}
