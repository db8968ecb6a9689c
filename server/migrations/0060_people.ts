import type { Migration } from '#core/migrate.ts';

/** Sessions and further ways to sign in, and what people let other programs do (OAuth). */
export const people: Migration = {
  name: '0060_people',
  async up(tx, { id, text: textType, bytes, integer }) {
    const { schema } = tx;
    const text = textType as 'text';

    await schema
      .alterTable('users')
      .addColumn('two_factor_enabled', integer, (c) => c.notNull().defaultTo(0))
      .execute();

    await schema
      .createTable('sessions')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('user_id', id, (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('token_digest', text, (c) => c.notNull().unique())
      .addColumn('address', text)
      .addColumn('user_agent', text)
      .addColumn('last_used_at', integer, (c) => c.notNull())
      .addColumn('expires_at', integer, (c) => c.notNull())
      .addColumn('created_at', integer, (c) => c.notNull())
      .addColumn('updated_at', integer, (c) => c.notNull())
      .execute();
    await schema.createIndex('sessions_user').on('sessions').columns(['user_id', 'id']).execute();
    await schema.createIndex('sessions_expiry').on('sessions').column('expires_at').execute();
    await schema.createIndex('sessions_use').on('sessions').column('last_used_at').execute();

    await schema
      .createTable('verifications')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('identifier', text, (c) => c.notNull())
      .addColumn('value', text, (c) => c.notNull())
      .addColumn('expires_at', integer, (c) => c.notNull())
      .addColumn('created_at', integer, (c) => c.notNull())
      .addColumn('updated_at', integer, (c) => c.notNull())
      .execute();
    await schema.createIndex('verifications_identifier').on('verifications').column('identifier').execute();
    await schema.createIndex('verifications_expiry').on('verifications').column('expires_at').execute();

    await schema
      .createTable('two_factors')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('user_id', id, (c) => c.notNull().unique().references('users.id').onDelete('cascade'))
      .addColumn('secret', bytes, (c) => c.notNull())
      .addColumn('recovery_codes', bytes, (c) => c.notNull())
      .addColumn('verified', integer, (c) => c.notNull())
      .addColumn('failures', integer, (c) => c.notNull())
      .addColumn('locked_until', integer)
      .execute();

    await schema
      .createTable('passkeys')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('user_id', id, (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('name', text)
      .addColumn('credential_id', text, (c) => c.notNull().unique())
      .addColumn('public_key', text, (c) => c.notNull())
      .addColumn('counter', integer, (c) => c.notNull())
      .addColumn('device_type', text, (c) => c.notNull())
      .addColumn('backed_up', integer, (c) => c.notNull())
      .addColumn('transports', text)
      .addColumn('aaguid', text)
      .addColumn('created_at', integer, (c) => c.notNull())
      .execute();
    await schema.createIndex('passkeys_user').on('passkeys').columns(['user_id', 'id']).execute();

    await schema
      .createTable('attempts')
      .addColumn('key', text, (c) => c.primaryKey())
      .addColumn('count', integer, (c) => c.notNull())
      .addColumn('expires_at', integer, (c) => c.notNull())
      .execute();
    await schema.createIndex('attempts_expiry').on('attempts').column('expires_at').execute();

    await schema
      .createTable('oauth_clients')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('redirect_uris', text, (c) => c.notNull())
      .addColumn('scopes', text, (c) => c.notNull())
      .addColumn('secret_digest', bytes)
      .addColumn('hash_version', integer)
      .addColumn('created_by_user_id', id)
      .addColumn('created_at', integer, (c) => c.notNull())
      .addColumn('updated_at', integer, (c) => c.notNull())
      .execute();

    await schema
      .createTable('oauth_grants')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('user_id', id, (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('client_id', text, (c) => c.notNull())
      .addColumn('scope', text, (c) => c.notNull())
      .addColumn('generation', integer, (c) => c.notNull())
      .addColumn('authenticated_at', integer, (c) => c.notNull())
      .addColumn('last_used_at', integer, (c) => c.notNull())
      .addColumn('expires_at', integer, (c) => c.notNull())
      .addColumn('created_at', integer, (c) => c.notNull())
      .execute();
    await schema.createIndex('oauth_grants_user').on('oauth_grants').columns(['user_id', 'id']).execute();
    await schema.createIndex('oauth_grants_client').on('oauth_grants').column('client_id').execute();
    await schema.createIndex('oauth_grants_expiry').on('oauth_grants').column('expires_at').execute();

    await schema
      .createTable('oauth_codes')
      .addColumn('digest', text, (c) => c.primaryKey())
      .addColumn('client_id', text, (c) => c.notNull())
      .addColumn('user_id', id, (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('redirect_uri', text, (c) => c.notNull())
      .addColumn('scope', text, (c) => c.notNull())
      .addColumn('code_challenge', text, (c) => c.notNull())
      .addColumn('nonce', text)
      .addColumn('grant_id', id)
      .addColumn('authenticated_at', integer, (c) => c.notNull())
      .addColumn('expires_at', integer, (c) => c.notNull())
      .execute();
    await schema.createIndex('oauth_codes_expiry').on('oauth_codes').column('expires_at').execute();

    await schema
      .createTable('oauth_devices')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('device_digest', text, (c) => c.notNull().unique())
      .addColumn('user_digest', text, (c) => c.notNull().unique())
      .addColumn('client_id', text, (c) => c.notNull())
      .addColumn('scope', text, (c) => c.notNull())
      .addColumn('address', text, (c) => c.notNull())
      .addColumn('user_agent', text)
      .addColumn('status', text, (c) => c.notNull())
      .addColumn('user_id', id, (c) => c.references('users.id').onDelete('cascade'))
      .addColumn('authenticated_at', integer)
      .addColumn('poll_seconds', integer, (c) => c.notNull())
      .addColumn('polled_at', integer)
      .addColumn('expires_at', integer, (c) => c.notNull())
      .addColumn('created_at', integer, (c) => c.notNull())
      .execute();
    await schema.createIndex('oauth_devices_expiry').on('oauth_devices').column('expires_at').execute();
  },
};
