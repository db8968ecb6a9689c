import { hash } from 'node:crypto';
import type { ClickHouseClient } from '@clickhouse/client';
import { bringUpToDate, dropsTable, tableOf } from '#adapters/clickhouse/tables.ts';
import { type StreamName, streams } from '#core/log-streams.ts';
import type { ThreadEngine } from '#core/logs/thread.ts';

/** What the writing thread does with ClickHouse. The tables are looked after before the first line of a process. */
export function clickHouseWriting(
  client: ClickHouseClient,
  retention: Record<StreamName, number>,
): ThreadEngine {
  let ready: Promise<void> | undefined;
  let lastStored = 0;
  const prepared = () => {
    ready ??= bringUpToDate(client, retention).catch((error) => {
      ready = undefined;
      throw error;
    });
    return ready;
  };

  return {
    async store(stream, given, { drops }) {
      const entries = [...given];
      await prepared();
      const spec = streams[stream];
      const names = Object.keys(spec.columns);
      // Two batches of this process never have the same moment, so that what was stored later comes later.
      lastStored = Math.max(Date.now(), lastStored + 1);
      const values = entries.map(({ values: cells, ...entry }) => ({
        ...entry,
        stored: lastStored,
        ...Object.fromEntries(names.map((name, at) => [name, cells[at] ?? null])),
      }));
      // A batch that is given again, since nobody knows whether it was stored, is stored once.
      const token = hash('sha256', entries.map(({ id, at, body }) => `${id} ${at} ${body}`).join('\n'));
      if (values.length > 0)
        await client.insert({
          table: tableOf(spec),
          values,
          format: 'JSONEachRow',
          clickhouse_settings: { insert_deduplication_token: token },
        });
      if (drops.length > 0) {
        const rows = drops.map((drop) => ({ stream, ...drop }));
        await client.insert({
          table: dropsTable,
          values: rows,
          format: 'JSONEachRow',
          clickhouse_settings: { insert_deduplication_token: `${token} drops` },
        });
      }
    },
    async purge(stream, scope) {
      await prepared();
      for (const table of [tableOf(streams[stream]), dropsTable])
        await client.command({
          query: `delete from ${table} where scope = {scope:String}`,
          query_params: { scope },
        });
    },
    tend: prepared,
    close: () => client.close(),
  };
}
