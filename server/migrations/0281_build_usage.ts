import type { Migration } from '#core/migrate.ts';

/** How long the builds of an organization ran, by month and application: what a limit of build minutes counts. */
export const buildUsage: Migration = {
  name: '0281_build_usage',
  async up({ schema }, { id, text: textType, integer }) {
    const text = textType as 'text';
    // Without a reference: what a deleted application has used stays used.
    await schema
      .createTable('build_usage')
      .addColumn('organization_id', id, (c) => c.notNull())
      .addColumn('month', text, (c) => c.notNull())
      .addColumn('application_id', id, (c) => c.notNull())
      .addColumn('milliseconds', integer, (c) => c.notNull())
      .addPrimaryKeyConstraint('build_usage_key', ['organization_id', 'month', 'application_id'])
      .execute();
  },
};
