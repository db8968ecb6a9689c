import type { Migration } from '#core/migrate.ts';

/** Domains of their owners', claimed by applications; those that are verified stand in `hostnames` too. */
export const domains: Migration = {
  name: '0082_domains',
  async up(tx, { id, text: textType, integer }) {
    const { schema } = tx;
    const text = textType as 'text';
    await schema
      .createTable('domains')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('application_id', id, (c) => c.notNull().references('applications.id').onDelete('cascade'))
      .addColumn('domain', text, (c) => c.notNull())
      .addColumn('state', text, (c) => c.notNull())
      .addColumn('token', text, (c) => c.notNull())
      // JSON: what the last check found.
      .addColumn('found', text, (c) => c.notNull())
      .addColumn('verified_at', integer)
      .addColumn('failing_since', integer)
      .addColumn('checked_at', integer)
      .addColumn('next_check_at', integer, (c) => c.notNull())
      .addColumn('created_at', integer, (c) => c.notNull())
      .addColumn('updated_at', integer, (c) => c.notNull())
      .addUniqueConstraint('domains_application_domain', ['application_id', 'domain'])
      .execute();
    await schema.createIndex('domains_next_check').on('domains').column('next_check_at').execute();
  },
};
