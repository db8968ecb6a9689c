import { type CreateTableBuilder, sql } from 'kysely';
import type { Migration } from '#core/migrate.ts';

const sums = ['requests', 'successes', 'errors', 'input_tokens', 'output_tokens', 'nanos', 'latency_ms'];

/**
 * Sums by user in a table of their own: beside every model and provider, each user made a row an hour for each of them,
 * and a sum of a month read nearly as many rows as there were requests.
 */
export const aiUserRollups: Migration = {
  name: '0181_ai_user_rollups',
  async up(tx, { id, text: textType, integer }, engine) {
    const text = textType as 'text';
    const make = (name: string, by: readonly string[]) => {
      let table: CreateTableBuilder<string, string> = tx.schema
        .createTable(name)
        .addColumn('organization_id', id, (c) => c.notNull())
        .addColumn('size', text, (c) => c.notNull())
        .addColumn('bucket', integer, (c) => c.notNull());
      for (const column of by) table = table.addColumn(column, text, (c) => c.notNull());
      for (const column of sums) table = table.addColumn(column, integer, (c) => c.notNull());
      const key = ['organization_id', 'size', 'bucket', ...by];
      table = table.addPrimaryKeyConstraint(`${name}_key`, key as never);
      // The rows lie in the order in which they are summed.
      if (engine === 'sqlite') table = table.modifyEnd(sql`without rowid`);
      return table.execute();
    };
    const copy = (name: string, by: readonly string[]) => {
      const key = sql.raw(['organization_id', 'size', 'bucket', ...by].join(', '));
      const names = sql.raw(sums.join(', '));
      const added = sql.raw(sums.map((column) => `sum(${column})`).join(', '));
      return sql`insert into ${sql.table(name)} (${key}, ${names})
        select ${key}, ${added} from ai_rollups group by ${key}`.execute(tx);
    };
    await make('ai_user_rollups', ['application_id', 'user_id']);
    await copy('ai_user_rollups', ['application_id', 'user_id']);
    await make('ai_name_rollups', ['application_id', 'model', 'provider']);
    await copy('ai_name_rollups', ['application_id', 'model', 'provider']);
    await tx.schema.dropTable('ai_rollups').execute();
  },
};
