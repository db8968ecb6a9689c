import type { Migration } from '#core/migrate.ts';

/** What S3 clients sign with: access keys of applications. */
export const s3: Migration = {
  name: '0130_s3',
  async up(tx, { id: idType, text: textType, bytes: bytesType, integer }) {
    const id = idType as 'text';
    const text = textType as 'text';
    const bytes = bytesType as 'blob';
    await tx.schema
      .createTable('s3_credentials')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('application_id', id, (c) => c.notNull().references('applications.id').onDelete('cascade'))
      .addColumn('environment_id', id, (c) => c.notNull())
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('access_key_id', text, (c) => c.notNull().unique())
      .addColumn('secret', bytes, (c) => c.notNull())
      .addColumn('access', text, (c) => c.notNull())
      .addColumn('bucket_id', id)
      .addColumn('prefix', text)
      .addColumn('allowed_addresses', text, (c) => c.notNull())
      .addColumn('created_by_user_id', id)
      .addColumn('created_by_key_id', id)
      .addColumn('created_by_client_id', text)
      .addColumn('created_by_grant_id', text)
      .addColumn('expires_at', integer)
      .addColumn('last_used_at', integer)
      .addColumn('created_at', integer, (c) => c.notNull())
      .execute();
    await tx.schema
      .createIndex('s3_credentials_application')
      .on('s3_credentials')
      .columns(['application_id', 'id'])
      .execute();
  },
};
