import type { Migration } from '#core/migrate.ts';

/** Environments whose functions keep a process running though nobody asks for them. */
export const alwaysOn: Migration = {
  name: '0280_always_on',
  async up({ schema }, { integer }) {
    // 1: they do.
    await schema.alterTable('environments').addColumn('always_on', integer).execute();
  },
};
