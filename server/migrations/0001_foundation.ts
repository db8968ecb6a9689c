import type { Migration } from '#core/migrate.ts';

/** People and accounts, API keys, the vault's and the token issuer's keys, the audit log. */
export const foundation: Migration = {
  name: '0001_foundation',
  async up(tx, { id, text: textType, bytes, integer }, engine) {
    const { schema } = tx;
    const text = textType as 'text';

    if (engine === 'sqlite') {
      await schema
        .createTable('news')
        .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
        .addColumn('topic', text, (c) => c.notNull())
        .addColumn('key', text, (c) => c.notNull())
        .execute();
    }

    await schema
      .createTable('vault_keys')
      .addColumn('purpose', text, (c) => c.notNull())
      .addColumn('version', integer, (c) => c.notNull())
      .addColumn('wrapped', bytes, (c) => c.notNull())
      .addColumn('active_from', integer, (c) => c.notNull())
      .addColumn('created_at', integer, (c) => c.notNull())
      .addPrimaryKeyConstraint('vault_keys_pk', ['purpose', 'version'])
      .execute();

    await schema
      .createTable('signing_keys')
      .addColumn('kid', text, (c) => c.primaryKey())
      .addColumn('public_jwk', text, (c) => c.notNull())
      .addColumn('private_jwk', bytes, (c) => c.notNull())
      .addColumn('signs_from', integer)
      .addColumn('signs_until', integer)
      .addColumn('created_at', integer, (c) => c.notNull())
      .execute();

    await schema
      .createTable('users')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('email', text, (c) => c.notNull().unique())
      .addColumn('email_verified', integer, (c) => c.notNull())
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('given_name', text)
      .addColumn('family_name', text)
      .addColumn('image_url', text)
      .addColumn('is_operator', integer, (c) => c.notNull())
      .addColumn('suspended_at', integer)
      .addColumn('created_at', integer, (c) => c.notNull())
      .addColumn('updated_at', integer, (c) => c.notNull())
      .execute();

    await schema
      .createTable('accounts')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('user_id', id, (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('provider_id', text, (c) => c.notNull())
      .addColumn('account_id', text, (c) => c.notNull())
      .addColumn('password', text)
      .addColumn('created_at', integer, (c) => c.notNull())
      .addColumn('updated_at', integer, (c) => c.notNull())
      .addUniqueConstraint('accounts_provider', ['provider_id', 'account_id'])
      .execute();
    await schema.createIndex('accounts_user').on('accounts').column('user_id').execute();

    await schema
      .createTable('organizations')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('slug', text, (c) => c.notNull().unique())
      .addColumn('image_url', text)
      .addColumn('suspended_at', integer)
      .addColumn('deleted_at', integer)
      .addColumn('created_at', integer, (c) => c.notNull())
      .addColumn('updated_at', integer, (c) => c.notNull())
      .execute();

    await schema
      .createTable('memberships')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('organization_id', id, (c) => c.notNull().references('organizations.id').onDelete('cascade'))
      .addColumn('user_id', id, (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('role', text, (c) => c.notNull())
      .addColumn('created_at', integer, (c) => c.notNull())
      .addUniqueConstraint('memberships_user_organization', ['user_id', 'organization_id'])
      .execute();
    await schema
      .createIndex('memberships_organization')
      .on('memberships')
      .columns(['organization_id', 'id'])
      .execute();

    await schema
      .createTable('applications')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('organization_id', id, (c) => c.notNull().references('organizations.id').onDelete('cascade'))
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('slug', text, (c) => c.notNull())
      .addColumn('image_url', text)
      .addColumn('root_directory', text)
      .addColumn('default_environment_slug', text, (c) => c.notNull())
      .addColumn('created_at', integer, (c) => c.notNull())
      .addColumn('updated_at', integer, (c) => c.notNull())
      .addUniqueConstraint('applications_slug', ['organization_id', 'slug'])
      .execute();

    await schema
      .createTable('environments')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('application_id', id, (c) => c.notNull().references('applications.id').onDelete('cascade'))
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('slug', text, (c) => c.notNull())
      .addColumn('created_at', integer, (c) => c.notNull())
      .addColumn('updated_at', integer, (c) => c.notNull())
      .addUniqueConstraint('environments_slug', ['application_id', 'slug'])
      .execute();

    await schema
      .createTable('api_keys')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('actor_type', text, (c) => c.notNull())
      .addColumn('user_id', id, (c) => c.references('users.id').onDelete('cascade'))
      .addColumn('organization_id', id, (c) => c.references('organizations.id').onDelete('cascade'))
      .addColumn('application_id', id, (c) => c.references('applications.id').onDelete('cascade'))
      .addColumn('environment_id', id, (c) => c.references('environments.id').onDelete('cascade'))
      .addColumn('scopes', text, (c) => c.notNull())
      .addColumn('allowed_addresses', text, (c) => c.notNull())
      .addColumn('created_by_user_id', id)
      .addColumn('expires_at', integer)
      .addColumn('revoked_at', integer)
      .addColumn('last_used_at', integer)
      .addColumn('created_at', integer, (c) => c.notNull())
      .addColumn('updated_at', integer, (c) => c.notNull())
      .execute();
    for (const column of ['user_id', 'organization_id', 'application_id']) {
      await schema.createIndex(`api_keys_${column}`).on('api_keys').columns([column, 'id']).execute();
    }

    await schema
      .createTable('api_key_secrets')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('api_key_id', id, (c) => c.notNull().references('api_keys.id').onDelete('cascade'))
      .addColumn('digest', bytes, (c) => c.notNull())
      .addColumn('hash_version', integer, (c) => c.notNull())
      .addColumn('created_at', integer, (c) => c.notNull())
      .execute();
    await schema.createIndex('api_key_secrets_key').on('api_key_secrets').column('api_key_id').execute();

    await schema
      .createTable('revoked_tokens')
      .addColumn('token_id', text, (c) => c.primaryKey())
      .addColumn('expires_at', integer, (c) => c.notNull())
      .execute();
    await schema.createIndex('revoked_tokens_expiry').on('revoked_tokens').column('expires_at').execute();

    await schema
      .createTable('idempotency_keys')
      .addColumn('owner', text, (c) => c.notNull())
      .addColumn('key', text, (c) => c.notNull())
      .addColumn('fingerprint', text, (c) => c.notNull())
      .addColumn('answer', bytes)
      .addColumn('expires_at', integer, (c) => c.notNull())
      .addPrimaryKeyConstraint('idempotency_keys_pk', ['owner', 'key'])
      .execute();
    await schema.createIndex('idempotency_keys_expiry').on('idempotency_keys').column('expires_at').execute();

    await schema
      .createTable('audit_log')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('organization_id', id)
      .addColumn('actor_type', text, (c) => c.notNull())
      .addColumn('actor_id', text)
      .addColumn('action', text, (c) => c.notNull())
      .addColumn('target_type', text, (c) => c.notNull())
      .addColumn('target_id', text)
      .addColumn('request_id', text)
      .addColumn('details', text, (c) => c.notNull())
      .addColumn('created_at', integer, (c) => c.notNull())
      .execute();
    await schema
      .createIndex('audit_log_organization')
      .on('audit_log')
      .columns(['organization_id', 'id'])
      .execute();
    await schema
      .createIndex('audit_log_target')
      .on('audit_log')
      .columns(['organization_id', 'target_id', 'id'])
      .execute();
    await schema
      .createIndex('audit_log_action')
      .on('audit_log')
      .columns(['organization_id', 'action', 'id'])
      .execute();
    await schema
      .createIndex('audit_log_actor')
      .on('audit_log')
      .columns(['organization_id', 'actor_id', 'id'])
      .execute();
  },
};
