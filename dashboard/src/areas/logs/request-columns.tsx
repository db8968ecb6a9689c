import type { RequestLog } from '@mainstay/sdk';
import { bytesText, millisecondsText } from '#api/numbers.ts';
import { Badge, type Tone } from '#ui/badge.tsx';
import type { Column } from '#ui/data-table.tsx';

const clock = new Intl.DateTimeFormat('en-GB', {
  day: '2-digit',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

function toneOf(status: number | null): Tone {
  if (status === null || status >= 500) return 'danger';
  if (status >= 400) return 'warning';
  return status >= 300 ? 'neutral' : 'success';
}

export function RequestStatus({ status }: { status: number | null }) {
  return <Badge tone={toneOf(status)}>{status ?? 'aborted'}</Badge>;
}

export const requestColumns: Column<RequestLog>[] = [
  {
    id: 'startedAt',
    header: 'Time',
    fixed: true,
    width: '9.5rem',
    value: (row) => row.startedAt,
    cell: (row) => (
      <time dateTime={row.startedAt} className="tabular-nums text-muted">
        {clock.format(new Date(row.startedAt))}
      </time>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    width: '5.5rem',
    value: (row) => row.response.status,
    cell: (row) => <RequestStatus status={row.response.status} />,
  },
  { id: 'method', header: 'Method', width: '5.5rem', wide: true, value: (row) => row.request.method },
  { id: 'hostname', header: 'Host', width: '2fr', wide: true, value: (row) => row.request.hostname },
  {
    id: 'path',
    header: 'Path',
    fixed: true,
    width: '4fr',
    value: (row) => row.request.path,
    cell: (row) => (
      <span className="truncate font-mono text-xs" title={row.request.path}>
        {row.request.path}
        {row.request.query !== null && <span className="text-faint">?{row.request.query}</span>}
      </span>
    ),
  },
  {
    id: 'duration',
    header: 'Latency',
    width: '7rem',
    align: 'end',
    wide: true,
    value: (row) => row.metrics.durationMs,
    cell: (row) => <span className="tabular-nums">{millisecondsText(row.metrics.durationMs)}</span>,
  },
  {
    id: 'size',
    header: 'Size',
    width: '6rem',
    align: 'end',
    wide: true,
    value: (row) => row.metrics.bytesSent,
    cell: (row) => <span className="tabular-nums">{bytesText(row.metrics.bytesSent)}</span>,
  },
  {
    id: 'cache',
    header: 'Cache',
    width: '6.5rem',
    wide: true,
    value: (row) => row.response.cacheStatus ?? '',
  },
  {
    id: 'country',
    header: 'Country',
    width: '5.5rem',
    wide: true,
    optional: true,
    value: (row) => row.request.country ?? '',
  },
];
