import type { Migration } from '#core/migrate.ts';

/** Runs of schedules that somebody asked for. */
export const manualRuns: Migration = {
  name: '0220_manual_runs',
  async up({ schema }, { integer }) {
    // 1: it was not the clock that called.
    await schema.alterTable('schedule_runs').addColumn('manual', integer).execute();
  },
};
