import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ComponentProps, useMemo } from 'react';
import type { Page } from '#api/pages.ts';
import { Button } from '#ui/button.tsx';
import { DataTable } from '#ui/data-table.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';

type Props<Row> = Omit<ComponentProps<typeof DataTable<Row>>, 'rows' | 'footer'> & {
  query: UseInfiniteQueryResult<InfiniteData<Page<Row>>>;
  /** What the rows are, where they are not what the API counts. */
  summary?: (rows: readonly Row[]) => string;
};

/** A table of a list that the API gives page by page; how much of it is there stands below, and what brings more. */
export function PagedTable<Row>({ query, summary, ...table }: Props<Row>) {
  const { data, error, hasNextPage, isFetchingNextPage, isPlaceholderData, fetchNextPage, refetch } = query;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.items), [data]);
  if (error) return <TryAgain error={error} refetch={refetch} />;
  const total = data?.pages.at(-1)?.total ?? 0;
  return (
    <div aria-busy={isPlaceholderData} className={isPlaceholderData ? 'opacity-60' : ''}>
      <DataTable {...table} rows={rows} />
      {rows && (
        <div className="mt-2.5 flex min-h-7 items-center justify-between gap-3 px-1 text-muted">
          <span role="status">
            {summary
              ? summary(rows)
              : `${rows.length.toLocaleString('en')} of ${Math.max(total, rows.length).toLocaleString('en')}`}
          </span>
          {hasNextPage && (
            <Button size="sm" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              Load more
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

/** In the place of a list that did not come. */
export function TryAgain({ error, refetch }: { error: Error; refetch: () => Promise<unknown> }) {
  return (
    <ErrorNotice
      error={error}
      action={
        <Button size="sm" onClick={() => void refetch()}>
          Try again
        </Button>
      }
    />
  );
}
