import type { Migration } from '#core/migrate.ts';

/** Who may see an environment's deployments, when a deployment was replaced, and where its variables came from. */
export const gatewayAccess: Migration = {
  name: '0155_gateway_access',
  async up(tx, { id, text: textType, bytes, integer }) {
    const { schema } = tx;
    const text = textType as 'text';
    await schema
      .createTable('environment_protection')
      .addColumn('environment_id', id, (c) =>
        c.primaryKey().references('environments.id').onDelete('cascade'),
      )
      .addColumn('enabled', integer, (c) => c.notNull())
      // A PHC string; null: nobody gets in by password.
      .addColumn('password', text)
      // A keyed hash of the token that automation sends, with the version of its key.
      .addColumn('bypass_digest', bytes)
      .addColumn('bypass_version', integer)
      .addColumn('bypass_created_at', integer)
      // Grows when what lets visitors in is taken back: links and cookies of before stop working.
      .addColumn('epoch', integer, (c) => c.notNull())
      .addColumn('updated_at', integer, (c) => c.notNull())
      .execute();
    // Null while hostnames of the environment lead to it, and for one that never was live.
    await schema.alterTable('deployments').addColumn('replaced_at', integer).execute();
    await schema
      .createIndex('deployments_replaced')
      .on('deployments')
      .columns(['environment_id', 'replaced_at'])
      .execute();
    // JSON: the name of each variable that it was resolved with, and the scope that it came from.
    await schema.alterTable('deployments').addColumn('variable_sources', text).execute();
  },
};
