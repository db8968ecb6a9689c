import type { Migration } from '#core/migrate.ts';

/** Databases and key spaces of environments, on engines of the operator's. */
export const services: Migration = {
  name: '0121_services',
  async up(tx, { id, text: textType, bytes, integer }) {
    const text = textType as 'text';
    await tx.schema
      .createTable('services')
      .addColumn('id', id, (c) => c.primaryKey())
      // No references: what the engine has must be dropped before the row may go.
      .addColumn('application_id', id, (c) => c.notNull())
      .addColumn('environment_id', id, (c) => c.notNull())
      .addColumn('kind', text, (c) => c.notNull())
      // Sealed.
      .addColumn('password', bytes, (c) => c.notNull())
      // When its environment was found to be gone.
      .addColumn('orphaned_at', integer)
      .addColumn('created_at', integer, (c) => c.notNull())
      .addUniqueConstraint('services_key', ['environment_id', 'kind'])
      .execute();
    await tx.schema.createIndex('services_application').on('services').column('application_id').execute();
  },
};
