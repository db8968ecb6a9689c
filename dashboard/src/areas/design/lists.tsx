import { useState } from 'react';
import { Button } from '#ui/button.tsx';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { type LogLine, LogView } from '#ui/log-view.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';
import { toast } from '#ui/toast.ts';

interface Row {
  id: number;
  name: string;
  status: string;
  createdAt: string;
}

const statuses = ['ACTIVE', 'BUILDING', 'FAILED', 'SUSPENDED'];
const rows: Row[] = Array.from({ length: 1000 }, (_, at) => ({
  id: at,
  name: `Row ${at + 1}`,
  status: statuses[at % 4] ?? '',
  createdAt: new Date(Date.UTC(2026, 0, 1) + at * 3_600_000).toISOString(),
}));
const rowId = ({ id }: Row) => String(id);
const columns: Column<Row>[] = [
  { id: 'name', header: 'Name', value: ({ name }) => name, sortable: true, fixed: true, width: '2fr' },
  {
    id: 'status',
    header: 'Status',
    value: ({ status }) => status,
    sortable: true,
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  {
    id: 'createdAt',
    header: 'Created',
    value: ({ createdAt }) => createdAt,
    sortable: true,
    wide: true,
    width: '9rem',
    cell: ({ createdAt }) => <RelativeTime time={createdAt} />,
  },
  { id: 'number', header: 'Number', value: ({ id }) => id, optional: true, width: '6rem' },
];
const facet = {
  name: 'status',
  label: 'Status',
  options: statuses.map((value) => ({ value, label: value.toLowerCase() })),
};

/** A table with everything that it can do; on a screen its search stands in the address. */
export function DesignTable() {
  const [search, setSearch] = useState<Record<string, string | undefined>>({});
  const { filter = '', status } = search;
  const shown = rows.filter(
    (row) => row.name.toLowerCase().includes(filter.toLowerCase()) && (!status || row.status === status),
  );
  return (
    <>
      <FilterBar
        label="Filter rows"
        search={search}
        onChange={(change) => setSearch({ ...search, ...change })}
        facets={[facet]}
      >
        <Button look="ghost">Export</Button>
      </FilterBar>
      <DataTable
        label="Rows"
        rows={shown}
        columns={columns}
        rowId={rowId}
        remember="design"
        onOpen={({ name }) => toast.done(`${name} opened`)}
        selection={(marked, clear) => (
          <Button size="sm" look="danger" onClick={clear}>
            Delete {marked.length}
          </Button>
        )}
        empty="No rows match the filters."
      />
      <DataTable label="Rows on their way" rows={undefined} columns={columns} rowId={rowId} />
    </>
  );
}

const levels: LogLine['level'][] = ['INFO', 'INFO', 'DEBUG', 'WARN', 'INFO', 'ERROR'];
const lines: LogLine[] = Array.from({ length: 5000 }, (_, at) => ({
  id: String(at),
  time: new Date(Date.UTC(2026, 0, 1, 12) + at * 200).toISOString(),
  level: levels[at % 6] ?? 'INFO',
  message: `GET /items/${at} 200 in ${at % 37} ms`,
}));

export function DesignLog() {
  const [line, setLine] = useState<string>();
  return <LogView label="Lines" lines={lines} live line={line} onLine={setLine} />;
}
