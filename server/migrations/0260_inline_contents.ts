import type { Migration } from '#core/migrate.ts';

/** Bytes of small objects, which come and go with the row of their version. */
export const inlineContents: Migration = {
  name: '0260_inline_contents',
  async up(tx, { id, bytes }) {
    await tx.schema
      .createTable('storage_inline')
      .addColumn('object_id', id, (c) => c.primaryKey().references('storage_objects.id').onDelete('cascade'))
      .addColumn('bytes', bytes, (c) => c.notNull())
      .execute();
  },
};
