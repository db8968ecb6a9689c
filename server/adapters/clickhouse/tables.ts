import type { ClickHouseClient } from '@clickhouse/client';
import { type StreamName, type StreamSpec, streams } from '#core/log-streams.ts';

/** A table for each stream, ordered as it is asked: by scope, moment and id. Parts of a day are dropped whole. */

export function tableOf(spec: StreamSpec): string {
  return `mainstay_${spec.name.replace('-', '_')}`;
}

export const dropsTable = 'mainstay_log_drops';
const migrationsTable = 'mainstay_log_migrations';

/** In order; what has landed is never edited. Each may run twice: nodes start together. */
const migrations: readonly ((retention: Record<StreamName, number>) => string[])[] = [
  (retention) => [
    ...Object.values(streams).map((spec) => createTable(spec, retention[spec.name])),
    `create table if not exists ${dropsTable} (stream String, scope String, at UInt64, count UInt64)
      engine = SummingMergeTree(count) order by (stream, scope, at)
      ttl ${expiry(Math.max(...Object.values(retention)))}`,
  ],
];

function expiry(seconds: number): string {
  return `toDateTime(intDiv(at, 1000)) + toIntervalSecond(${seconds})`;
}

function createTable(spec: StreamSpec, retentionSeconds: number): string {
  const columns = Object.entries(spec.columns).flatMap(([name, kind]) => [
    `\`${name}\` Nullable(${kind === 'text' ? 'String' : 'Float64'}) codec(ZSTD(1))`,
    ...(kind === 'text' ? [`index \`${name}_bloom\` \`${name}\` type bloom_filter(0.01) granularity 4`] : []),
  ]);
  const engine = spec.replaces ? 'ReplacingMergeTree(stored)' : 'MergeTree';
  return `create table if not exists ${tableOf(spec)} (
    scope String, at UInt64 codec(Delta, ZSTD(1)), id String codec(ZSTD(1)), stored UInt64 codec(Delta, ZSTD(1)),
    weight Float64 codec(ZSTD(1)), ${columns.join(', ')},
    body String codec(ZSTD(3)), detail String codec(ZSTD(3)),
    index id_bloom id type bloom_filter(0.01) granularity 1,
    index stored_range stored type minmax granularity 1
  ) engine = ${engine} partition by toYYYYMMDD(toDateTime(intDiv(at, 1000))) order by (scope, at, id)
  ttl ${expiry(retentionSeconds)}
  settings ttl_only_drop_parts = 1, non_replicated_deduplication_window = 1000`;
}

/** Makes what is missing, and lets lines expire as the settings of now say. */
export async function bringUpToDate(
  client: ClickHouseClient,
  retention: Record<StreamName, number>,
): Promise<void> {
  await client.command({
    query: `create table if not exists ${migrationsTable} (version UInt32, applied_at DateTime default now())
      engine = MergeTree order by version`,
  });
  const result = await client.query({
    query: `select max(version) as version from ${migrationsTable}`,
    format: 'JSONEachRow',
  });
  const [row] = await result.json<{ version: number }>();
  for (let version = Number(row?.version ?? 0); version < migrations.length; version++) {
    for (const query of migrations[version]?.(retention) ?? []) await client.command({ query });
    await client.insert({
      table: migrationsTable,
      values: [{ version: version + 1 }],
      format: 'JSONEachRow',
      columns: ['version'],
    });
  }
  for (const spec of Object.values(streams)) await setExpiry(client, tableOf(spec), retention[spec.name]);
}

async function setExpiry(client: ClickHouseClient, table: string, seconds: number): Promise<void> {
  const found = await client.query({
    query:
      'select engine_full from system.tables where database = currentDatabase() and name = {table:String}',
    query_params: { table },
    format: 'JSONEachRow',
  });
  const [row] = await found.json<{ engine_full: string }>();
  if (row && !row.engine_full.includes(`toIntervalSecond(${seconds})`))
    await client.command({ query: `alter table ${table} modify ttl ${expiry(seconds)}` });
}
