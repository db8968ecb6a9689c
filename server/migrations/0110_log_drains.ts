import type { Migration } from '#core/migrate.ts';

/** Where the requests of applications are sent on to, and how far each has come. */
export const logDrains: Migration = {
  name: '0110_log_drains',
  async up(tx, { id: idType, text: textType, bytes: bytesType, integer }) {
    const id = idType as 'text';
    const text = textType as 'text';
    const bytes = bytesType as 'blob';
    await tx.schema
      .createTable('log_drains')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('application_id', id, (c) => c.notNull().references('applications.id').onDelete('cascade'))
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('type', text, (c) => c.notNull())
      .addColumn('url', bytes, (c) => c.notNull())
      .addColumn('headers', bytes, (c) => c.notNull())
      .addColumn('enabled', integer, (c) => c.notNull())
      .addColumn('position_stored', integer, (c) => c.notNull())
      .addColumn('position_id', text, (c) => c.notNull())
      .addColumn('due_at', integer, (c) => c.notNull())
      .addColumn('failures', integer, (c) => c.notNull())
      .addColumn('last_error', text)
      .addColumn('delivered_at', integer)
      .addColumn('created_at', integer, (c) => c.notNull())
      .addColumn('updated_at', integer, (c) => c.notNull())
      .execute();
    await tx.schema.createIndex('log_drains_application').on('log_drains').column('application_id').execute();
    await tx.schema.createIndex('log_drains_due').on('log_drains').columns(['enabled', 'due_at']).execute();
  },
};
