import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { classes } from '#ui/classes.ts';
import { ColumnMenu } from '#ui/column-menu.tsx';
import { useHotkey } from '#ui/hotkeys.ts';
import { Skeleton } from '#ui/skeleton.tsx';
import { type Column, sorted, useColumnChoice } from '#ui/table-columns.ts';
import { actionsHeader, cellClass, focusRow, grid, type RowActions, TableRow } from '#ui/table-row.tsx';
import { Checkbox } from '#ui/toggle.tsx';

export type { Column };

interface DataTableProps<Row> {
  /** What the rows are, for screen readers. */
  label: string;
  /** Undefined while they are on the way. */
  rows: readonly Row[] | undefined;
  columns: readonly Column<Row>[];
  rowId: (row: Row) => string;
  /** Enter or a click on a row: opens its detail page. */
  onOpen?: (row: Row) => void;
  /** `name` or `-name`, from the address; without `onSort` the table keeps it to itself. */
  sort?: string | undefined;
  onSort?: (sort: string | undefined) => void;
  /** Rows can be marked: what can be done with those that are. `clear` unmarks them. */
  selection?: (marked: Row[], clear: () => void) => ReactNode;
  /** A name under which the browser remembers the choice of columns; without it there is none. */
  remember?: string;
  /** What to say when a filter leaves nothing. */
  empty?: ReactNode;
  /** Below the rows: what loads more. */
  footer?: ReactNode;
}

const rowHeight = 44;

/**
 * Rows under sortable headings. Only those in sight are in the page, however many there are. ↑ ↓ j k Home End move between
 * rows, Enter opens one, x marks one. `rows` and `columns` have to stay the same objects as long as they say the same.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, rows: data, columns, rowId, onOpen, selection, remember, empty, footer } = props;
  const [ownSort, setOwnSort] = useState<string>();
  const sort = props.onSort ? props.sort : ownSort;
  const setSort = props.onSort ?? setOwnSort;
  const { shown, isShown, show } = useColumnChoice(remember, columns);
  const rows = useMemo(() => sorted(data ?? [], columns, sort), [data, columns, sort]);
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  // Every frame of scrolling draws the table: with many rows, looking at each of them takes half of it.
  const markedRows = useMemo(
    () => (marked.size === 0 ? [] : rows.filter((row) => marked.has(rowId(row)))),
    [rows, marked, rowId],
  );
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });

  // What is added above rows that somebody reads, as a live log does, must not move them.
  const top = useRef<{ id: string | undefined; sort: string | undefined }>(undefined);
  useLayoutEffect(() => {
    const before = top.current;
    const [first] = rows;
    top.current = { id: first && rowId(first), sort };
    const element = scroller.current;
    if (!element || element.scrollTop === 0 || before?.id === undefined || before.sort !== sort) return;
    if (before.id !== top.current.id)
      element.scrollTop +=
        rowHeight *
        Math.max(
          0,
          rows.findIndex((row) => rowId(row) === before.id),
        );
  }, [rows, rowId, sort]);

  // The rows keep one object for all that they may be asked to do: they are drawn again only when they change.
  const latest = useRef({ rows, onOpen, rowId });
  useEffect(() => {
    latest.current = { rows, onOpen, rowId };
  });
  const act = useMemo(
    (): RowActions => ({
      open(index) {
        const row = latest.current.rows[index];
        if (row) latest.current.onOpen?.(row as Row);
      },
      focus(index) {
        const to = Math.max(0, Math.min(latest.current.rows.length - 1, index));
        virtual.scrollToIndex(to);
        focusRow(scroller.current, to);
      },
      mark(index) {
        const row = latest.current.rows[index];
        if (row) setMarked((old) => toggled(old, latest.current.rowId(row as Row)));
      },
    }),
    [virtual],
  );
  useHotkey(rows.length > 0 ? 'j' : undefined, 'Go to the first row', () => act.focus(0));

  const shownKey = shown.map(({ id }) => id).join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the columns that are shown, by name.
  const drawn = useMemo(() => shown, [columns, shownKey]);
  const template = (isWide: boolean) =>
    [
      ...(selection ? ['2.75rem'] : []),
      ...drawn
        .filter(({ wide }) => isWide || !wide)
        .map(({ width = '1fr' }) => (width.endsWith('fr') ? `minmax(0,${width})` : width)),
    ].join(' ');
  return (
    <div
      className="relative overflow-hidden rounded-lg border bg-surface"
      style={{ '--columns': template(false), '--wide-columns': template(true) } as Record<string, string>}
    >
      <div role="table" aria-label={label} aria-rowcount={rows.length + 1} aria-busy={data === undefined}>
        <div
          role="row"
          className={classes(grid, 'h-9 border-b bg-sunken text-xs text-muted pointer-coarse:h-11')}
        >
          {selection && (
            <div role="columnheader" className={cellClass(undefined)}>
              <Checkbox
                label={<span className="sr-only">Select all rows</span>}
                checked={rows.length > 0 && markedRows.length === rows.length}
                mixed={markedRows.length > 0 && markedRows.length < rows.length}
                onChange={() =>
                  setMarked(markedRows.length === rows.length ? new Set() : new Set(rows.map(rowId)))
                }
              />
            </div>
          )}
          {drawn.map((column) => (
            <Heading key={column.id} column={column} sort={sort} onSort={setSort} />
          ))}
        </div>
        <div
          ref={scroller}
          role="rowgroup"
          className="max-h-[max(20rem,calc(100dvh-17rem))] overflow-y-auto overscroll-contain"
        >
          {data === undefined ? (
            <SkeletonRows />
          ) : (
            <div className="relative" style={{ height: virtual.getTotalSize() }}>
              {virtual.getVirtualItems().map(({ index, start }) => {
                const row = rows[index];
                if (row === undefined) return null;
                const id = rowId(row);
                return (
                  <TableRow
                    key={id}
                    {...{ row, index, start, columns: drawn, act, opens: onOpen !== undefined }}
                    marked={selection ? marked.has(id) : undefined}
                  />
                );
              })}
            </div>
          )}
          {data !== undefined && rows.length === 0 && empty && (
            <div role="row">
              <div role="cell" className="px-4 py-10 text-center text-muted">
                {empty}
              </div>
            </div>
          )}
        </div>
      </div>
      {remember !== undefined && <ColumnMenu {...{ columns, isShown, show }} />}
      {selection && markedRows.length > 0 && (
        <div className="flex flex-wrap items-center gap-2 border-t bg-accent-soft px-4 py-2">
          <span role="status" className="mr-auto font-medium text-accent-text">
            {markedRows.length.toLocaleString('en')} selected
          </span>
          {selection(markedRows, () => setMarked(new Set()))}
        </div>
      )}
      {footer && <div className="border-t px-4 py-2.5">{footer}</div>}
    </div>
  );
}

interface HeadingProps<Row> {
  column: Column<Row>;
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
}

/** Pressed once it sorts, twice from the other end, three times as the rows came. */
function Heading<Row>({ column, sort, onSort }: HeadingProps<Row>) {
  const { id, header, sortable } = column;
  const order = sort === id ? 'ascending' : sort === `-${id}` ? 'descending' : undefined;
  return (
    <div
      role="columnheader"
      className={classes(cellClass(column), 'font-medium')}
      {...(order ? { 'aria-sort': order } : {})}
    >
      {sortable ? (
        <button
          type="button"
          className="inline-flex items-center gap-1 rounded-sm hover:text-ink pointer-coarse:min-h-11"
          onClick={() => onSort(order === undefined ? id : order === 'ascending' ? `-${id}` : undefined)}
        >
          {header}
          {order === 'ascending' && <ArrowUp aria-hidden className="size-3" />}
          {order === 'descending' && <ArrowDown aria-hidden className="size-3" />}
        </button>
      ) : (
        <span className={header === actionsHeader ? 'sr-only' : ''}>{header}</span>
      )}
    </div>
  );
}

function SkeletonRows() {
  return (
    <div role="row">
      <div role="cell">
        <span className="sr-only">Loading</span>
        {[0, 1, 2, 3, 4, 5].map((line) => (
          <div key={line} className="flex h-11 items-center gap-6 border-b px-4 last:border-b-0">
            <Skeleton className="h-4 w-2/5" />
            <Skeleton className="h-4 w-1/4" />
            <Skeleton className="ml-auto h-4 w-16" />
          </div>
        ))}
      </div>
    </div>
  );
}

function toggled(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(id)) next.add(id);
  return next;
}
