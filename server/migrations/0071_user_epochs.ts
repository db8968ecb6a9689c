import type { Migration } from '#core/migrate.ts';

/** What a person was signed in by carries the epoch of its making; a higher one of the user ends all of it. */
export const userEpochs: Migration = {
  name: '0071_user_epochs',
  async up(tx, { id, integer }) {
    const { schema } = tx;
    for (const table of ['users', 'sessions', 'oauth_grants'])
      await schema
        .alterTable(table)
        .addColumn('epoch', integer, (c) => c.notNull().defaultTo(0))
        .execute();
    for (const table of ['oauth_codes', 'oauth_devices', 'verifications'])
      await schema.alterTable(table).addColumn('epoch', integer).execute();
    await schema.alterTable('verifications').addColumn('user_id', id).execute();
  },
};
