import { type KeyboardEvent, memo } from 'react';
import { classes } from '#ui/classes.ts';
import type { Column } from '#ui/table-columns.ts';
import { Checkbox } from '#ui/toggle.tsx';

export const grid = 'grid items-center grid-cols-(--columns) md:grid-cols-(--wide-columns)';

// biome-ignore lint/suspicious/noExplicitAny: of any table.
type AnyColumn = Column<any>;

export const actionsHeader = 'Actions';

export function cellClass(column: Pick<AnyColumn, 'header' | 'wide' | 'align'> | undefined): string {
  if (column?.header === actionsHeader) return 'flex justify-end pr-2';
  return classes(
    'min-w-0 truncate px-3 first:pl-4 last:pr-4',
    column?.wide && 'max-md:hidden',
    // The menu of the columns lies over the end of the header: numbers there keep clear of it, and stay below their header.
    column?.align === 'end' && 'flex justify-end text-right md:last:pr-11',
  );
}

/** At once, or as soon as the row is drawn, which after a long way takes some frames. */
export function focusRow(scroller: HTMLElement | null, index: number, frames = 30): void {
  const row = scroller?.querySelector<HTMLElement>(`[data-index="${index}"]`);
  if (row) row.focus({ preventScroll: true });
  else if (frames > 0) requestAnimationFrame(() => focusRow(scroller, index, frames - 1));
}

export interface RowActions {
  open(index: number): void;
  /** The nearest row when there is none with that index. */
  focus(index: number): void;
  mark(index: number): void;
}

interface RowProps {
  row: unknown;
  index: number;
  /** Pixels from the top. */
  start: number;
  columns: readonly AnyColumn[];
  act: RowActions;
  opens: boolean;
  /** Undefined where rows cannot be marked. */
  marked: boolean | undefined;
}

export const TableRow = memo(({ row, index, start, columns, act, opens, marked }: RowProps) => {
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.target !== event.currentTarget || event.metaKey || event.ctrlKey || event.altKey) return;
    const moves = new Map([
      ['ArrowDown', index + 1],
      ['j', index + 1],
      ['ArrowUp', index - 1],
      ['k', index - 1],
      ['Home', 0],
      ['End', Number.POSITIVE_INFINITY],
    ]);
    const to = moves.get(event.key);
    if (to !== undefined) act.focus(to);
    else if (event.key === 'x' && marked !== undefined) act.mark(index);
    else if (event.key === 'Enter') act.open(index);
    else return;
    event.preventDefault();
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
              const target = event.target as Element;
              if (inRow && !target.closest('a,button,label,[role=menuitem]')) act.open(index);
            },
          }
        : {})}
      className={classes(
        grid,
        'absolute inset-x-0 top-0 h-11 border-b -outline-offset-2 last:border-b-0 hover:bg-hover',
        marked === true && 'bg-accent-soft',
      )}
      style={{ transform: `translateY(${start}px)` }}
    >
      {marked !== undefined && (
        <div role="cell" className={cellClass(undefined)}>
          <Checkbox
            label={<span className="sr-only">Select row {index + 1}</span>}
            checked={marked}
            onChange={() => act.mark(index)}
          />
        </div>
      )}
      {columns.map((column) => (
        <div key={column.id} role="cell" className={cellClass(column)}>
          {column.cell ? column.cell(row) : String(column.value?.(row) ?? '')}
        </div>
      ))}
    </div>
  );
});
