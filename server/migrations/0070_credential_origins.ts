import type { Migration } from '#core/migrate.ts';

/** Through whom and through what an API key was made, so that it can be shown, and ended, with that. */
export const credentialOrigins: Migration = {
  name: '0070_credential_origins',
  async up(tx, { id, text: textType }) {
    const { schema } = tx;
    const text = textType as 'text';
    const table = schema.alterTable('api_keys');
    await table.addColumn('created_by_key_id', id).execute();
    await table.addColumn('created_by_client_id', text).execute();
    await table.addColumn('created_by_grant_id', id).execute();
    await schema
      .createIndex('api_keys_created_by_user')
      .on('api_keys')
      .columns(['created_by_user_id', 'id'])
      .execute();
    await schema
      .createIndex('api_keys_created_by_grant')
      .on('api_keys')
      .columns(['created_by_grant_id', 'id'])
      .execute();
  },
};
