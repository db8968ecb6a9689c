import type { Migration } from '#core/migrate.ts';

/** Keys of deployments and functions name their actor. */
export const workloadKeys: Migration = {
  name: '0083_workload_keys',
  async up(tx, { text }) {
    await tx.schema
      .alterTable('api_keys')
      .addColumn('actor_id', text as 'text')
      .execute();
  },
};
