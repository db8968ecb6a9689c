import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { RowData } from '@tanstack/react-table';
import { type ComponentProps, useMemo } from 'react';
import { sentenceOf } from '#api/errors.ts';
import type { Page } from '#api/pages.ts';
import { Button } from '#ui/button.tsx';
import { DataTable } from '#ui/data-table.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

type Props<Row extends RowData> = Omit<ComponentProps<typeof DataTable<Row>>, 'rows' | 'footer'> & {
  query: UseInfiniteQueryResult<InfiniteData<Page<Row>>>;
};

/** A table of a list that the API gives page by page; how much of it is there stands below, and what brings more. */
export function PagedTable<Row extends RowData>({ query, ...table }: Props<Row>) {
  const { data, error, hasNextPage, isFetchingNextPage, isPlaceholderData, fetchNextPage, refetch } = query;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  if (error) {
    return (
      <ErrorNotice
        sentence={sentenceOf(error)}
        action={
          <Button size="sm" onClick={() => void refetch()}>
            Try again
          </Button>
        }
      />
    );
  }
  if (!data) return <TableSkeleton />;
  const total = data.pages.at(-1)?.total ?? rows.length;
  if (rows.length === 0) {
    return (
      <div role="status" className="rounded-lg border bg-surface px-4 py-10 text-center text-muted">
        {table.empty}
      </div>
    );
  }
  return (
    <div aria-busy={isPlaceholderData} className={isPlaceholderData ? 'opacity-60' : ''}>
      <DataTable {...table} rows={rows} />
      <div className="mt-2.5 flex min-h-7 items-center justify-between gap-3 px-1 text-muted">
        <span role="status">
          {rows.length.toLocaleString('en')} of {total.toLocaleString('en')}
        </span>
        {hasNextPage && (
          <Button size="sm" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Load more
          </Button>
        )}
      </div>
    </div>
  );
}

export function TableSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="space-y-2.5">
      {[0, 1, 2, 3, 4, 5].map((line) => (
        <Skeleton key={line} className="h-10 w-full" />
      ))}
    </div>
  );
}
