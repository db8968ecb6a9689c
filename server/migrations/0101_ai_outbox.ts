import { sql } from 'kysely';
import type { Migration } from '#core/migrate.ts';

/** Settled events wait here until the log store has them; before, they stayed in a table with an index for each filter. */
export const aiOutbox: Migration = {
  name: '0101_ai_outbox',
  async up(tx, { id, text: textType }) {
    const text = textType as 'text';
    await tx.schema
      .createTable('ai_outbox')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('event', text, (c) => c.notNull())
      .execute();
    await sql`insert into ai_outbox (id, event) select id, event from ai_events`.execute(tx);
    await tx.schema.dropTable('ai_events').execute();
  },
};
