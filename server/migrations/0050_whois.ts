import type { Migration } from '#core/migrate.ts';

/** The answers of registries, shared by all nodes. */
export const whois: Migration = {
  name: '0050_whois',
  async up(tx, { text: textType, integer }) {
    const text = textType as 'text';
    await tx.schema
      .createTable('whois_answers')
      .addColumn('domain', text, (c) => c.primaryKey())
      .addColumn('outcome', text, (c) => c.notNull())
      .addColumn('source', text, (c) => c.notNull())
      .addColumn('record', text)
      .addColumn('raw', text)
      .addColumn('fetched_at', integer, (c) => c.notNull())
      .addColumn('fresh_until', integer, (c) => c.notNull())
      .addColumn('keep_until', integer, (c) => c.notNull())
      .execute();
    await tx.schema
      .createIndex('whois_answers_fetched_at')
      .on('whois_answers')
      .column('fetched_at')
      .execute();
    await tx.schema
      .createIndex('whois_answers_keep_until')
      .on('whois_answers')
      .column('keep_until')
      .execute();
  },
};
