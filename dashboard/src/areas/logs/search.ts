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

export const readLogsSearch = (search: Record<string, unknown>): LogsSearch => readNames(search, names);

/** Those of the address that are there; the router makes numbers of what looks like one. */
export function readNames<Name extends string>(
  search: Record<string, unknown>,
  wanted: readonly Name[],
): { [Each in Name]?: string } {
  return Object.fromEntries(
    wanted
      .map((name) => [name, search[name]] as const)
      .map(([name, value]) => [name, typeof value === 'number' ? String(value) : value] as const)
      .filter(([, value]) => typeof value === 'string' && value !== ''),
  ) as { [Each in Name]?: string };
}

const hour = 3_600_000;
export const ranges = [
  { value: '1h', label: 'Last hour', milliseconds: hour },
  { value: '24h', label: 'Last 24 hours', milliseconds: 24 * hour },
  { value: '7d', label: 'Last 7 days', milliseconds: 168 * hour },
  { value: '30d', label: 'Last 30 days', milliseconds: 720 * hour },
];
export const defaultRange = '24h';

/** Up to now, or between two moments, as it stands in the address. */
export type TimeSearch = Pick<LogsSearch, 'range' | 'from' | 'to'>;

/** As the API takes it. A range ends now, which moves: nothing stands for its end. */
export function toTimes({ range, from, to }: TimeSearch): { from: string; to?: string } {
  if (from !== undefined) return { from, ...(to === undefined ? {} : { to }) };
  const named = ranges.find(({ value }) => value === (range ?? defaultRange)) ?? ranges[1];
  return { from: new Date(Date.now() - (named?.milliseconds ?? 24 * hour)).toISOString() };
}

/** The address and the API call it by other names. */
export function toQuery(search: LogsSearch) {
  const { filter, range: _r, from: _f, to: _t, live: _l, request: _q, bot, ...rest } = search;
  return {
    ...rest,
    ...toTimes(search),
    ...(filter === undefined ? {} : { q: filter }),
    ...(bot === undefined ? {} : { bot: bot === 'true' }),
  };
}
