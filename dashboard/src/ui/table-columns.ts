import { type ReactNode, useState } from 'react';

export interface Column<Row> {
  /** In the address (`?sort=-name`) and in the remembered choice of columns. */
  id: string;
  header: string;
  /** What the column sorts by, and what its cells show unless `cell` says more. */
  value?: (row: Row) => string | number | boolean | null;
  sortable?: boolean;
  cell?: (row: Row) => ReactNode;
  /** A share of the width, such as `2fr`, or a length: `8rem`. `1fr` unless given. */
  width?: string;
  align?: 'end';
  /** Left out on a phone. */
  wide?: boolean;
  /** Shown only where somebody chose it. */
  optional?: boolean;
  /** Nobody can hide it: the name, the menu of the row. Its header is for screen readers where `header` is "Actions". */
  fixed?: boolean;
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** By `name`, or by `-name` from the other end. What is null comes last either way. */
export function sorted<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sort: string | undefined,
): readonly Row[] {
  if (sort === undefined) return rows;
  const direction = sort.startsWith('-') ? -1 : 1;
  const value = columns.find(({ id }) => id === sort.replace(/^-/, ''))?.value;
  if (!value) return rows;
  return rows
    .map((row) => ({ row, by: value(row) }))
    .sort((a, b) => {
      if (a.by === null || b.by === null) return Number(a.by === null) - Number(b.by === null);
      const order =
        typeof a.by === 'string' && typeof b.by === 'string'
          ? collator.compare(a.by, b.by)
          : Number(a.by) - Number(b.by);
      return order * direction;
    })
    .map(({ row }) => row);
}

/** Which columns are shown: the choice is kept in this browser under the name of the table. */
export function useColumnChoice<Row>(table: string | undefined, columns: readonly Column<Row>[]) {
  const key = `mainstay.columns.${table}`;
  const [changed, setChanged] = useState<Record<string, boolean>>(() =>
    table === undefined ? {} : read(localStorage.getItem(key)),
  );
  const isShown = ({ id, fixed, optional }: Column<Row>) => fixed === true || (changed[id] ?? !optional);
  const show = (id: string, isOn: boolean) => {
    const next = { ...changed, [id]: isOn };
    setChanged(next);
    localStorage.setItem(key, JSON.stringify(next));
  };
  return { shown: columns.filter(isShown), isShown, show };
}

function read(text: string | null): Record<string, boolean> {
  try {
    return JSON.parse(text ?? '{}') as Record<string, boolean>;
  } catch {
    return {};
  }
}
