import type { Migration } from '#core/migrate.ts';

/** The nodes that run, and how far their clocks are from the database's. */
export const nodes: Migration = {
  name: '0067_nodes',
  async up(tx, { text, integer }) {
    await tx.schema
      .createTable('nodes')
      .addColumn('name', text as 'text', (c) => c.primaryKey())
      .addColumn('seen_at', integer, (c) => c.notNull())
      .addColumn('skew', integer, (c) => c.notNull())
      .execute();
  },
};
