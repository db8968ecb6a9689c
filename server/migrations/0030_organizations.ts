import type { Migration } from '#core/migrate.ts';

/** What organizations may use, whom they invite, and the configuration that they share. */
export const organizations: Migration = {
  name: '0030_organizations',
  async up(tx, { id, text: textType, bytes, integer }) {
    const { schema } = tx;
    const text = textType as 'text';

    await schema.alterTable('users').addColumn('admitted_at', integer).execute();
    await schema
      .alterTable('users')
      .addColumn('has_payment_method', integer, (c) => c.notNull().defaultTo(0))
      .execute();

    await schema.alterTable('organizations').addColumn('created_by_user_id', id).execute();
    await schema
      .createIndex('organizations_creator')
      .on('organizations')
      .columns(['created_by_user_id', 'created_at'])
      .execute();
    await schema.createIndex('organizations_deleted').on('organizations').column('deleted_at').execute();

    await schema
      .createTable('images')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('organization_id', id, (c) => c.notNull().references('organizations.id').onDelete('cascade'))
      .addColumn('content_type', text, (c) => c.notNull())
      .addColumn('content', bytes, (c) => c.notNull())
      .addColumn('created_at', integer, (c) => c.notNull())
      .execute();
    await schema.createIndex('images_organization').on('images').column('organization_id').execute();

    await schema
      .createTable('invitations')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('organization_id', id, (c) => c.notNull().references('organizations.id').onDelete('cascade'))
      .addColumn('email', text, (c) => c.notNull())
      .addColumn('role', text, (c) => c.notNull())
      .addColumn('token_digest', bytes, (c) => c.notNull())
      .addColumn('hash_version', integer, (c) => c.notNull())
      .addColumn('invited_by_user_id', id)
      .addColumn('expires_at', integer, (c) => c.notNull())
      .addColumn('created_at', integer, (c) => c.notNull())
      .addUniqueConstraint('invitations_address', ['organization_id', 'email'])
      .execute();

    await schema
      .createTable('entitlements')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('organization_id', id, (c) => c.notNull().references('organizations.id').onDelete('cascade'))
      .addColumn('product', text, (c) => c.notNull())
      .addColumn('status', text, (c) => c.notNull())
      .addColumn('granted_by_user_id', id)
      .addColumn('revoked_at', integer)
      .addColumn('created_at', integer, (c) => c.notNull())
      .addColumn('updated_at', integer, (c) => c.notNull())
      .addUniqueConstraint('entitlements_product', ['organization_id', 'product'])
      .execute();

    await schema
      .createTable('subscriptions')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('organization_id', id, (c) => c.notNull().references('organizations.id').onDelete('cascade'))
      .addColumn('product', text, (c) => c.notNull())
      .addColumn('plan', text, (c) => c.notNull())
      .addColumn('status', text, (c) => c.notNull())
      .addColumn('activated_by_user_id', id)
      .addColumn('created_at', integer, (c) => c.notNull())
      .addColumn('updated_at', integer, (c) => c.notNull())
      .addUniqueConstraint('subscriptions_product', ['organization_id', 'product'])
      .execute();

    await schema
      .createTable('instance_settings')
      .addColumn('name', text, (c) => c.primaryKey())
      .addColumn('value', text, (c) => c.notNull())
      .addColumn('updated_at', integer, (c) => c.notNull())
      .execute();

    await schema
      .createTable('env_vars')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('organization_id', id, (c) => c.notNull().references('organizations.id').onDelete('cascade'))
      // The empty string stands for "none": null would make every row unique.
      .addColumn('application_id', text, (c) => c.notNull())
      .addColumn('environment_id', text, (c) => c.notNull())
      .addColumn('key', text, (c) => c.notNull())
      .addColumn('value', bytes, (c) => c.notNull())
      .addColumn('sensitive', integer, (c) => c.notNull())
      .addColumn('version', integer, (c) => c.notNull())
      .addColumn('created_at', integer, (c) => c.notNull())
      .addColumn('updated_at', integer, (c) => c.notNull())
      .addUniqueConstraint('env_vars_key', ['organization_id', 'application_id', 'environment_id', 'key'])
      .execute();

    await schema
      .createTable('env_var_versions')
      .addColumn('env_var_id', id, (c) => c.notNull().references('env_vars.id').onDelete('cascade'))
      .addColumn('version', integer, (c) => c.notNull())
      .addColumn('key', text, (c) => c.notNull())
      .addColumn('value', bytes, (c) => c.notNull())
      .addColumn('sensitive', integer, (c) => c.notNull())
      .addColumn('actor_type', text, (c) => c.notNull())
      .addColumn('actor_id', text)
      .addColumn('created_at', integer, (c) => c.notNull())
      .addPrimaryKeyConstraint('env_var_versions_pk', ['env_var_id', 'version'])
      .execute();
  },
};
