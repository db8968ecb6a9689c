import type { Migration } from '#core/migrate.ts';

/** What webhooks of buckets answered, for those who set them up. */
export const storageDeliveries: Migration = {
  name: '0091_storage_deliveries',
  async up(tx, { id: idType, text: textType, integer }) {
    const id = idType as 'text';
    const text = textType as 'text';
    await tx.schema
      .createTable('storage_deliveries')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('bucket_id', id, (c) => c.notNull().references('storage_buckets.id').onDelete('cascade'))
      .addColumn('event_id', id, (c) => c.notNull())
      .addColumn('type', text, (c) => c.notNull())
      .addColumn('key', text)
      .addColumn('attempt', integer, (c) => c.notNull())
      .addColumn('status', integer)
      .addColumn('error', text)
      .addColumn('latency_ms', integer, (c) => c.notNull())
      .addColumn('sent_at', integer, (c) => c.notNull())
      .execute();
    await tx.schema
      .createIndex('storage_deliveries_bucket')
      .on('storage_deliveries')
      .columns(['bucket_id', 'id'])
      .execute();
  },
};
