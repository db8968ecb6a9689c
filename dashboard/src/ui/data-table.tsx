import {
  type ColumnDef,
  createSortedRowModel,
  metaHelper,
  type RowData,
  rowSortingFeature,
  sortFn_alphanumeric,
  sortFn_text,
  type Row as TableRow,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type KeyboardEvent, memo, type ReactNode, useEffect, useMemo, useRef } from 'react';
import { classes } from '#ui/classes.ts';

interface ColumnMeta {
  /** A share of the width, such as `2fr` or `8rem`. `1fr` unless given. */
  width?: string;
  align?: 'end';
  /** Left out on a phone. */
  wide?: boolean;
}

const features = tableFeatures({
  columnMeta: metaHelper<ColumnMeta>(),
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric, text: sortFn_text },
});
type Features = typeof features;
// biome-ignore lint/suspicious/noExplicitAny: every column has a value type of its own.
export type Columns<Row extends RowData> = ColumnDef<Features, Row, any>[];

interface DataTableProps<Row extends RowData> {
  /** What the rows are, for screen readers. */
  label: string;
  rows: readonly Row[];
  columns: Columns<Row>;
  rowId: (row: Row) => string;
  /** Enter or a click on a row. */
  onOpen?: (row: Row) => void;
  /** What to say when a filter leaves nothing. */
  empty?: ReactNode;
  /** Below the rows: what loads more. */
  footer?: ReactNode;
}

const rowHeight = 44;

/**
 * Rows under sortable headings. Only those in sight are in the page, however many there are. ↑ ↓ Home End move between
 * rows, Enter opens one. `rows` and `columns` have to stay the same objects as long as they say the same.
 */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { label, rows: data, columns, rowId, onOpen, empty, footer } = props;
  const table = useTable({
    features,
    columns,
    data,
    getRowId: rowId,
    defaultColumn: { enableSorting: false },
    sortDescFirst: false,
  });
  const { rows } = table.getRowModel();
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });

  const metas = useMemo(() => columns.map((column) => column.meta ?? {}), [columns]);
  const template = (isWide: boolean) =>
    metas
      .filter((meta) => isWide || !meta.wide)
      .map((meta) =>
        meta.width?.endsWith('fr') ? `minmax(0,${meta.width})` : (meta.width ?? 'minmax(0,1fr)'),
      )
      .join(' ');

  // The rows keep one function for all that they may be asked to do: they are drawn again only when they change.
  const latest = useRef({ rows, onOpen });
  useEffect(() => {
    latest.current = { rows, onOpen };
  });
  const act = useMemo(
    (): RowActions => ({
      open(index) {
        const row = latest.current.rows[index];
        if (row) latest.current.onOpen?.(row.original);
      },
      focus(index) {
        const to = Math.max(0, Math.min(latest.current.rows.length - 1, index));
        virtual.scrollToIndex(to);
        focusRow(scroller.current, to);
      },
    }),
    [virtual],
  );

  return (
    <div
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      className="overflow-hidden rounded-lg border bg-surface"
      style={{ '--columns': template(false), '--wide-columns': template(true) } as Record<string, string>}
    >
      {table.getHeaderGroups().map((group) => (
        <div key={group.id} role="row" className={classes(grid, 'h-9 border-b bg-sunken text-xs text-muted')}>
          {group.headers.map((header, index) => {
            const sorted = header.column.getIsSorted();
            return (
              <div
                key={header.id}
                role="columnheader"
                className={classes(cellClass(metas[index]), 'font-medium')}
                {...(sorted
                  ? { 'aria-sort': sorted === 'asc' ? ('ascending' as const) : ('descending' as const) }
                  : {})}
              >
                {header.column.getCanSort() ? (
                  <button
                    type="button"
                    className="inline-flex items-center gap-1 rounded-sm hover:text-ink"
                    onClick={header.column.getToggleSortingHandler()}
                  >
                    <table.FlexRender header={header} />
                    {sorted === 'asc' && <ArrowUp aria-hidden className="size-3" />}
                    {sorted === 'desc' && <ArrowDown aria-hidden className="size-3" />}
                  </button>
                ) : (
                  <table.FlexRender header={header} />
                )}
              </div>
            );
          })}
        </div>
      ))}
      <div
        ref={scroller}
        role="rowgroup"
        className="max-h-[max(20rem,calc(100dvh-17rem))] overflow-y-auto overscroll-contain"
      >
        <div className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            if (!row) return null;
            return (
              <Row
                key={row.id}
                {...{ row, index, start, columns, metas, act, opens: onOpen !== undefined }}
                Cell={table.FlexRender}
              />
            );
          })}
        </div>
        {rows.length === 0 && empty && (
          <div role="row">
            <div role="cell" className="px-4 py-10 text-center text-muted">
              {empty}
            </div>
          </div>
        )}
      </div>
      {footer && <div className="border-t px-4 py-2.5">{footer}</div>}
    </div>
  );
}

const grid = 'grid items-center grid-cols-(--columns) md:grid-cols-(--wide-columns)';

function cellClass(meta: ColumnMeta | undefined): string {
  return classes(
    'min-w-0 truncate px-3 first:pl-4 last:pr-4',
    meta?.wide && 'max-md:hidden',
    meta?.align === 'end' && 'flex justify-end text-right',
  );
}

/** At once, or as soon as the row is drawn, which after a long way takes some frames. */
function focusRow(scroller: HTMLElement | null, index: number, frames = 30): void {
  const row = scroller?.querySelector<HTMLElement>(`[data-index="${index}"]`);
  if (row) row.focus({ preventScroll: true });
  else if (frames > 0) requestAnimationFrame(() => focusRow(scroller, index, frames - 1));
}

interface RowActions {
  open(index: number): void;
  /** The nearest row when there is none with that index. */
  focus(index: number): void;
}

interface RowProps {
  // biome-ignore lint/suspicious/noExplicitAny: of any table.
  row: TableRow<Features, any>;
  index: number;
  /** Pixels from the top. */
  start: number;
  /** Told so that other columns are a change. */
  columns: unknown;
  metas: readonly ColumnMeta[];
  act: RowActions;
  opens: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: of any table.
  Cell: (props: { cell: any }) => ReactNode;
}

const Row = memo(({ row, index, start, metas, act, opens, Cell }: RowProps) => {
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.target !== event.currentTarget) return;
    const to = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      Home: 0,
      End: Number.POSITIVE_INFINITY,
    }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      act.focus(to);
    } else if (event.key === 'Enter') act.open(index);
  };
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      data-index={index}
      tabIndex={0}
      onKeyDown={onKeyDown}
      {...(opens
        ? {
            onClick: (event) => {
              // Its own links, buttons and menus act for themselves, those in portals too.
              const inRow = event.currentTarget.contains(event.target as Node);
              if (inRow && !(event.target as Element).closest('a,button,[role=menuitem]')) act.open(index);
            },
          }
        : {})}
      className={classes(
        grid,
        'absolute inset-x-0 top-0 h-11 border-b -outline-offset-2 last:border-b-0 hover:bg-hover',
      )}
      style={{ transform: `translateY(${start}px)` }}
    >
      {row.getAllCells().map((cell, at) => (
        <div key={cell.id} role="cell" className={cellClass(metas[at])}>
          <Cell cell={cell} />
        </div>
      ))}
    </div>
  );
});
