import type { Migration } from '#core/migrate.ts';

/** Numbers over time, added up in steps of five minutes and of an hour. */
export const series: Migration = {
  name: '0075_series',
  async up(tx, { text: textType, integer }) {
    const text = textType as 'text';
    await tx.schema
      .createTable('series_points')
      // An organization's id, or `instance`. No reference: what is counted outlives nobody for long.
      .addColumn('subject', text, (c) => c.notNull())
      .addColumn('step', integer, (c) => c.notNull())
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('at', integer, (c) => c.notNull())
      .addColumn('sum', integer, (c) => c.notNull())
      .addColumn('samples', integer, (c) => c.notNull())
      .addPrimaryKeyConstraint('series_points_key', ['subject', 'step', 'at', 'name'])
      .execute();
    await tx.schema.createIndex('series_points_age').on('series_points').columns(['step', 'at']).execute();
  },
};
