import { type Range, ranges } from '#areas/start/data.ts';

/** What usage is broken down by. */
export const breakdowns = [
  { value: 'model', label: 'Model' },
  { value: 'provider', label: 'Provider' },
  { value: 'application', label: 'Application' },
  { value: 'user', label: 'User' },
] as const;
export type Breakdown = (typeof breakdowns)[number]['value'];

export interface UsageSearch {
  range?: Range;
  by?: Breakdown;
}

const readRange = (range: unknown): { range?: Range } =>
  ranges.some(({ value }) => value === range) ? { range: range as Range } : {};

export function readUsage({ range, by }: Record<string, unknown>): UsageSearch {
  return {
    ...readRange(range),
    ...(breakdowns.some(({ value }) => value === by) ? { by: by as Breakdown } : {}),
  };
}

const names = [
  'model',
  'provider',
  'application',
  'authenticatedUserId',
  'callerEndUserId',
  'requestId',
] as const;
export const statuses = ['success', 'error', 'cancelled', 'pending'] as const;

export type RequestsSearch = { [Name in (typeof names)[number]]?: string } & {
  range?: Range;
  status?: (typeof statuses)[number];
};

export function readRequests(search: Record<string, unknown>): RequestsSearch {
  const texts = names
    .map((name) => [name, search[name]] as const)
    .map(([name, value]) => [name, typeof value === 'number' ? String(value) : value] as const)
    .filter(([, value]) => typeof value === 'string' && value !== '');
  const status = statuses.find((one) => one === search['status']);
  return { ...Object.fromEntries(texts), ...readRange(search['range']), ...(status ? { status } : {}) };
}

export const defaultRange: Range = '7d';
const hours: Record<Range, number> = { '24h': 24, '7d': 168, '30d': 720 };

/** When the range begins: by whole hours, so that the sums need no single events. */
export function rangeStart(range: Range = defaultRange): Date {
  const hour = 3_600_000;
  return new Date(Math.floor(Date.now() / hour) * hour - (hours[range] - 1) * hour);
}

/** What can be tried. */
export const trials = [
  { value: 'chat', label: 'Chat' },
  { value: 'images', label: 'Images' },
  { value: 'speech', label: 'Speech' },
] as const;

export interface PlaygroundSearch {
  model?: string;
  /** Of nothing: a chat. */
  kind?: (typeof trials)[number]['value'];
}

export function readPlayground({ model, kind }: Record<string, unknown>): PlaygroundSearch {
  const known = trials.find(({ value }) => value === kind)?.value;
  return {
    ...(typeof model === 'string' && model !== '' ? { model } : {}),
    ...(known === undefined || known === 'chat' ? {} : { kind: known }),
  };
}

/** Whose policy is shown; of neither: the organization's. */
export interface PolicySearch {
  application?: string;
  key?: string;
}

export function readPolicySubject({ application, key }: Record<string, unknown>): PolicySearch {
  if (typeof key === 'string' && key !== '') return { key };
  return typeof application === 'string' && application !== '' ? { application } : {};
}
