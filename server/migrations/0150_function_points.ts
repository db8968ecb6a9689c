import type { Migration } from '#core/migrate.ts';

/** What processes of functions did and used, in steps of five minutes. */
export const functionPoints: Migration = {
  name: '0150_function_points',
  async up(tx, { id, text: textType, integer }) {
    const text = textType as 'text';
    await tx.schema
      .createTable('function_points')
      .addColumn('deployment_id', id, (c) => c.notNull())
      .addColumn('at', integer, (c) => c.notNull())
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('function_name', text, (c) => c.notNull())
      .addColumn('sum', integer, (c) => c.notNull())
      .addColumn('samples', integer, (c) => c.notNull())
      .addColumn('most', integer, (c) => c.notNull())
      .addPrimaryKeyConstraint('function_points_key', ['deployment_id', 'at', 'name', 'function_name'])
      .execute();
  },
};
