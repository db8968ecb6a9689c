import type { Static } from 'typebox';
import { isId } from '#core/ids.ts';
import type { LogFilter } from '#core/log-store.ts';
import type { ColumnOf } from '#core/log-streams.ts';
import { cacheStatuses } from '#core/request-log.ts';
import { readRange, type TimeRange } from '#core/time-range.ts';
import { listOf } from './narrowing.ts';
import type { FilterQuery } from './schema.ts';

type Filters = Static<typeof FilterQuery>;
export type Column = ColumnOf<'requests'>;

export interface Narrowed extends TimeRange {
  filters: LogFilter<Column>[];
}

const ids = [
  'deploymentId',
  'deploymentFunctionId',
  'deploymentAssetId',
  'storageBucketId',
  'storageObjectId',
] as const;

/** What a query asks for. Throws `Problem('invalid_request')` that names the parameter that cannot be meant. */
export function readFilters(query: Filters): Narrowed {
  const range = readRange(query);
  const filters: LogFilter<Column>[] = [];
  const among = (column: Column, values: readonly (string | number)[] | undefined) => {
    if (values) filters.push({ column, in: values });
  };
  for (const name of ids)
    among(
      name,
      listOf(name, query[name], isId, 'an id')?.map((id) => id.toLowerCase()),
    );
  const upper = (values: string[] | undefined) => values?.map((value) => value.toUpperCase());
  among(
    'method',
    upper(
      listOf('method', query.method, (text) => /^[!#$%&'*+.^_`|~\w-]{1,32}$/.test(text), 'an HTTP method'),
    ),
  );
  among(
    'status',
    listOf('status', query.status, (text) => /^[1-9]\d\d$/.test(text), 'a status of three digits')?.map(
      Number,
    ),
  );
  const isFamily = (text: string) => /^[1-5](xx)?$/i.test(text);
  among(
    'family',
    listOf('statusFamily', query.statusFamily, isFamily, 'a digit from 1 to 5')?.map((text) =>
      Number(text[0]),
    ),
  );
  among(
    'hostname',
    listOf('hostname', query.hostname)?.map((text) => text.toLowerCase()),
  );
  if (query.pathPrefix) filters.push({ column: 'path', prefix: query.pathPrefix });
  among(
    'country',
    upper(listOf('country', query.country, (text) => /^[a-z]{2}$/i.test(text), 'a country of two letters')),
  );
  among('region', listOf('region', query.region));
  among('edgeLocation', listOf('edgeLocation', query.edgeLocation));
  const statuses: readonly string[] = cacheStatuses;
  among(
    'cacheStatus',
    listOf(
      'cacheStatus',
      query.cacheStatus,
      (text) => statuses.includes(text),
      `one of ${statuses.join(', ')}`,
    ),
  );
  if (query.cacheHit !== undefined) among('cacheHit', [Number(query.cacheHit)]);
  if (query.bot !== undefined) among('bot', [Number(query.bot)]);
  if (query.minDurationMs !== undefined) filters.push({ column: 'durationMs', min: query.minDurationMs });
  if (query.q) filters.push({ columns: ['path', 'error'], contains: query.q });
  return { ...range, filters };
}
