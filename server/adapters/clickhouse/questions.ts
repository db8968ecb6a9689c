import type { ClickHouseClient } from '@clickhouse/client';
import { dropsTable, tableOf } from '#adapters/clickhouse/tables.ts';
import type {
  LogChanges,
  LogFilter,
  LogSearch,
  LogSeries,
  LogStep,
  LogTop,
  LogTopPage,
  StoredLine,
} from '#core/log-store.ts';
import type { StreamSpec } from '#core/log-streams.ts';
import type { Value } from '#core/logs/predicate.ts';

/** Questions to ClickHouse. Whatever comes from outside is a parameter; names of columns are ours. */

const maxCount = 10_000;
const lastMoment = 8.64e15;

type Row = Record<string, unknown>;

/** Conditions and the values that they name. */
class Where {
  readonly params: Record<string, unknown> = {};
  readonly #conditions: string[] = [];

  constructor(query: {
    scope: string;
    from?: number | undefined;
    to?: number | undefined;
    filters?: readonly LogFilter[];
  }) {
    this.add(`scope = ${this.bind('String', query.scope)}`);
    // Ranges may begin or end before 1970.
    this.add(`at >= ${this.bind('Int64', query.from ?? 0)}`);
    this.add(`at <= ${this.bind('Int64', query.to ?? lastMoment)}`);
    for (const filter of query.filters ?? []) this.add(this.#condition(filter));
  }

  bind(type: string, value: unknown): string {
    const name = `p${Object.keys(this.params).length}`;
    this.params[name] = value;
    return `{${name}:${type}}`;
  }

  add(condition: string): void {
    this.#conditions.push(condition);
  }

  get text(): string {
    return this.#conditions.join(' and ');
  }

  #condition(filter: LogFilter): string {
    if ('contains' in filter) {
      const part = this.bind('String', filter.contains);
      const found = filter.columns.map(
        (name) => `positionCaseInsensitiveUTF8(ifNull(\`${name}\`, ''), ${part}) > 0`,
      );
      return `(${found.join(' or ')})`;
    }
    const column = `\`${filter.column}\``;
    if ('prefix' in filter) return `startsWith(ifNull(${column}, ''), ${this.bind('String', filter.prefix)})`;
    if ('min' in filter) return `${column} >= ${this.bind('Float64', filter.min)}`;
    const values = filter.in.filter((value) => value !== null);
    const type = typeof values[0] === 'number' ? 'Array(Float64)' : 'Array(String)';
    const isAmong = values.length > 0 ? `ifNull(${column} in ${this.bind(type, values)}, false)` : 'false';
    return filter.in.includes(null) ? `(${isAmong} or ${column} is null)` : isAmong;
  }
}

async function rows(
  client: ClickHouseClient,
  query: string,
  params: Record<string, unknown>,
): Promise<Row[]> {
  const result = await client.query({
    query,
    query_params: params,
    format: 'JSONEachRow',
    clickhouse_settings: { max_execution_time: 30 },
  });
  return result.json<Row>();
}

function from(spec: StreamSpec): string {
  return `from ${tableOf(spec)}${spec.replaces ? ' final' : ''}`;
}

function toLine(row: Row): StoredLine {
  const detail = String(row['detail'] ?? '');
  return {
    id: String(row['id']),
    at: Number(row['at']),
    stored: Number(row['stored']),
    weight: Number(row['weight']),
    body: JSON.parse(String(row['body'])),
    detail: detail === '' ? null : JSON.parse(detail),
  };
}

export async function search(client: ClickHouseClient, spec: StreamSpec, query: LogSearch<string>) {
  const { limit, offset = 0, after } = query;
  const isNewest = query.order === 'newest';
  const where = new Where(query);
  const counted = new Where(query);
  if (after) {
    const position = `(${where.bind('UInt64', Math.max(0, after.at))}, ${where.bind('String', after.id)})`;
    where.add(`(at, id) ${isNewest ? '<' : '>'} ${position}`);
  }
  const direction = isNewest ? 'desc' : 'asc';
  const [found, [total]] = await Promise.all([
    rows(
      client,
      `select id, at, stored, weight, body ${from(spec)} where ${where.text}
        order by at ${direction}, id ${direction} limit ${limit + 1} offset ${offset}`,
      where.params,
    ),
    query.count
      ? rows(
          client,
          `select count() as n from (select 1 ${from(spec)} where ${counted.text} limit ${maxCount + 1})`,
          counted.params,
        )
      : [],
  ]);
  const lines = found.slice(0, limit).map(toLine);
  const last = lines.at(-1);
  const count = Number(total?.['n'] ?? 0);
  return {
    lines,
    ...(found.length > limit && last ? { next: { at: last.at, id: last.id } } : {}),
    ...(query.count ? { total: { count: Math.min(count, maxCount), capped: count > maxCount } } : {}),
  };
}

/** Its id tells about when it was; that is asked first, and then everything. */
export async function find(client: ClickHouseClient, spec: StreamSpec, scope: string, id: string) {
  const moment = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  const day = 86_400_000;
  for (const range of [{ from: Math.max(0, moment - day), to: moment + day }, {}]) {
    const where = new Where({ scope, ...range });
    where.add(`id = ${where.bind('String', id)}`);
    const [row] = await rows(
      client,
      `select id, at, stored, weight, body, detail ${from(spec)} where ${where.text} limit 1`,
      where.params,
    );
    if (row) return toLine(row);
  }
  return null;
}

export async function changes(client: ClickHouseClient, spec: StreamSpec, query: LogChanges<string>) {
  const where = new Where(query);
  const { stored, id } = query.after;
  where.add(`stored >= ${where.bind('UInt64', stored)}`);
  where.add(`stored <= ${where.bind('UInt64', query.until)}`);
  where.add(`(stored, id) > (${where.bind('UInt64', stored)}, ${where.bind('String', id)})`);
  const found = await rows(
    client,
    `select id, at, stored, weight, body, detail ${from(spec)} where ${where.text} order by stored, id limit ${query.limit}`,
    where.params,
  );
  return found.map(toLine);
}

/** Count, groups and sums, as every aggregate has them. */
function measures(spec: StreamSpec): string {
  const { group, sums } = spec.rollup;
  const totals = sums.map((name) => `sum(ifNull(\`${name}\`, 0) * weight) as \`sum_${name}\``);
  const groups = `sumMap(map(ifNull(toString(\`${group}\`), 'null'), weight)) as groups`;
  return ['sum(weight) as count', groups, ...totals].join(', ');
}

function toMeasures(spec: StreamSpec, row: Row | undefined) {
  const groups = Object.entries((row?.['groups'] ?? {}) as Record<string, unknown>);
  return {
    count: Number(row?.['count'] ?? 0),
    groups: Object.fromEntries(groups.map(([name, count]) => [name, Number(count)])),
    sums: Object.fromEntries(spec.rollup.sums.map((name) => [name, Number(row?.[`sum_${name}`] ?? 0)])),
  };
}

export async function series(
  client: ClickHouseClient,
  spec: StreamSpec,
  query: LogSeries<string>,
): Promise<{ steps: LogStep[]; total: LogStep }> {
  const { quantile } = spec.rollup;
  const value = `assumeNotNull(\`${quantile}\`)`;
  const times =
    quantile === null
      ? ''
      : `, quantilesTDigestWeightedIf(0.5, 0.95, 0.99)(${value}, toUInt64(round(weight)), \`${quantile}\` is not null) as q,
        sum(ifNull(\`${quantile}\`, 0) * weight) as total, sumIf(weight, \`${quantile}\` is not null) as amount`;
  const ask = (step: string, end: string) => {
    const where = new Where(query);
    return rows(
      client,
      `select ${step} as step, ${measures(spec)}${times} ${from(spec)} where ${where.text} ${end}`,
      where.params,
    );
  };
  const size = Math.round(query.stepMilliseconds);
  const [steps, [whole], dropped] = await Promise.all([
    ask(`intDiv(at, ${size}) * ${size}`, 'group by step order by step'),
    ask('0', ''),
    drops(client, spec, query),
  ]);
  const toStep = (row: Row | undefined, at: number, lost: number): LogStep => {
    const values = Number(row?.['amount'] ?? 0);
    const quantiles = (row?.['q'] ?? []) as (number | null)[];
    const at100 = (index: number) => (values > 0 ? Number((quantiles[index] ?? 0).toPrecision(4)) : null);
    return {
      at,
      ...toMeasures(spec, row),
      p50: at100(0),
      p95: at100(1),
      p99: at100(2),
      total: Number(row?.['total'] ?? 0),
      values,
      dropped: lost,
    };
  };
  const found = steps.map((row) => toStep(row, Number(row['step']), dropped.get(Number(row['step'])) ?? 0));
  return {
    steps: found,
    total: toStep(
      whole,
      query.from,
      [...dropped.values()].reduce((sum, n) => sum + n, 0),
    ),
  };
}

async function drops(
  client: ClickHouseClient,
  spec: StreamSpec,
  query: LogSeries<string>,
): Promise<Map<number, number>> {
  if (query.filters && query.filters.length > 0) return new Map();
  const where = new Where({ scope: query.scope, from: query.from, to: query.to });
  where.add(`stream = ${where.bind('String', spec.name)}`);
  const size = Math.round(query.stepMilliseconds);
  const found = await rows(
    client,
    `select intDiv(at, ${size}) * ${size} as step, sum(count) as n from ${dropsTable} where ${where.text} group by step`,
    where.params,
  );
  return new Map(found.map((row) => [Number(row['step']), Number(row['n'])]));
}

export async function top(
  client: ClickHouseClient,
  spec: StreamSpec,
  query: LogTop<string>,
): Promise<LogTopPage> {
  const where = new Where(query);
  const found = await rows(
    client,
    `select \`${query.column}\` as value, ${measures(spec)} ${from(spec)} where ${where.text}
      group by value order by count desc, value limit ${query.limit}`,
    where.params,
  );
  return {
    rows: found.map((row) => ({ value: (row['value'] ?? null) as Value, ...toMeasures(spec, row) })),
    complete: true,
  };
}
