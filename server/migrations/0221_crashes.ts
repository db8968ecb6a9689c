import type { Migration } from '#core/migrate.ts';

/** Versions that crash again and again, and whether their environment then goes back to the one before. */
export const crashes: Migration = {
  name: '0221_crashes',
  async up({ schema }, { text: textType, integer }) {
    const text = textType as 'text';
    // 1: it goes back by itself.
    await schema.alterTable('environments').addColumn('rolls_back_on_crash', integer).execute();
    // Null again once hostnames are led to it anew.
    await schema.alterTable('deployments').addColumn('crashed_at', integer).execute();
    await schema.alterTable('deployments').addColumn('crash_reason', text).execute();
  },
};
