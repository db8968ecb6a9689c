import type { Migration } from '#core/migrate.ts';

/** The API key that a deployment was started with; null for people, and for older deployments. */
export const deploymentKeys: Migration = {
  name: '0290_deployment_keys',
  async up({ schema }, { text }) {
    await schema.alterTable('deployments').addColumn('actor_key_id', text).execute();
  },
};
