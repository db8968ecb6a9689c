/** What of the requests is shown, as it stands in the address. */
export interface LogsSearch {
  /** Text in path or error. */
  filter?: string;
  method?: string;
  status?: string;
  statusFamily?: string;
  hostname?: string;
  pathPrefix?: string;
  country?: string;
  cacheStatus?: string;
  bot?: string;
  deploymentId?: string;
  storageBucketId?: string;
  /** Up to now; or `from` and `to`, ISO 8601. */
  range?: string;
  from?: string;
  to?: string;
  live?: string;
  /** The one that is open. */
  request?: string;
}

const names = [
  'filter',
  'method',
  'status',
  'statusFamily',
  'hostname',
  'pathPrefix',
  'country',
  'cacheStatus',
  'bot',
  'deploymentId',
  'storageBucketId',
  'range',
  'from',
  'to',
  'live',
  'request',
] as const;

export function readLogsSearch(search: Record<string, unknown>): LogsSearch {
  return Object.fromEntries(
    names
      .map((name) => [name, search[name]] as const)
      .map(([name, value]) => [name, typeof value === 'number' ? String(value) : value] as const)
      .filter(([, value]) => typeof value === 'string' && value !== ''),
  );
}

const hour = 3_600_000;
export const ranges = [
  { value: '1h', label: 'Last hour', milliseconds: hour },
  { value: '24h', label: 'Last 24 hours', milliseconds: 24 * hour },
  { value: '7d', label: 'Last 7 days', milliseconds: 168 * hour },
  { value: '30d', label: 'Last 30 days', milliseconds: 720 * hour },
];
export const defaultRange = '24h';

/** As the API takes it. A range ends now, which moves: nothing stands for its end. */
export function toQuery({
  filter,
  range,
  from,
  to,
  live: _live,
  request: _request,
  bot,
  ...rest
}: LogsSearch) {
  const named = ranges.find(({ value }) => value === (range ?? defaultRange)) ?? ranges[1];
  const since = new Date(Date.now() - (named?.milliseconds ?? 24 * hour)).toISOString();
  return {
    ...rest,
    ...(filter === undefined ? {} : { q: filter }),
    ...(bot === undefined ? {} : { bot: bot === 'true' }),
    ...(from === undefined ? { from: since } : { from }),
    ...(from === undefined || to === undefined ? {} : { to }),
  };
}
