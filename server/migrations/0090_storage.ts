import type { Migration } from '#core/migrate.ts';

/**
 * Buckets, the versions of their objects, what is being uploaded, and what is left to clear away. Buckets refer to
 * applications by id alone: rows that fall with others would leave their blobs behind.
 */
export const storage: Migration = {
  name: '0090_storage',
  async up(tx, { id, text: textType, bytes, integer }) {
    const { schema } = tx;
    const text = textType as 'text';
    const flag = integer;

    await schema
      .createTable('storage_buckets')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('organization_id', id, (c) => c.notNull())
      .addColumn('application_id', id, (c) => c.notNull())
      .addColumn('environment_id', id, (c) => c.notNull())
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('slug', text, (c) => c.notNull().unique())
      .addColumn('visibility', text, (c) => c.notNull())
      .addColumn('versioning', text, (c) => c.notNull())
      .addColumn('data_key', bytes)
      .addColumn('quota_bytes', integer)
      .addColumn('quota_objects', integer)
      .addColumn('cache_control', text)
      .addColumn('cors', text, (c) => c.notNull())
      .addColumn('lifecycle', text, (c) => c.notNull())
      .addColumn('webhook_url', text)
      .addColumn('webhook_secret', bytes)
      .addColumn('object_lock', flag, (c) => c.notNull())
      .addColumn('documents', text, (c) => c.notNull())
      .addColumn('swept_at', integer, (c) => c.notNull())
      .addColumn('created_at', integer, (c) => c.notNull())
      .addColumn('updated_at', integer, (c) => c.notNull())
      .addColumn('deleted_at', integer)
      .addUniqueConstraint('storage_buckets_name', ['environment_id', 'name'])
      .execute();
    await schema
      .createIndex('storage_buckets_application')
      .on('storage_buckets')
      .columns(['application_id', 'id'])
      .execute();

    let usage = schema
      .createTable('storage_usage')
      .addColumn('bucket_id', id, (c) => c.primaryKey().references('storage_buckets.id').onDelete('cascade'));
    for (const column of [
      ...['live_objects', 'live_bytes', 'old_objects', 'old_bytes', 'trash_objects', 'trash_bytes'],
      ...['uploads', 'upload_bytes'],
    ] as const) {
      usage = usage.addColumn(column, integer, (c) => c.notNull().defaultTo(0));
    }
    await usage.execute();

    await schema
      .createTable('storage_objects')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('bucket_id', id, (c) => c.notNull().references('storage_buckets.id'))
      .addColumn('key', text, (c) => c.notNull())
      .addColumn('state', text, (c) => c.notNull())
      .addColumn('delete_marker', flag, (c) => c.notNull())
      .addColumn('null_version', flag, (c) => c.notNull())
      .addColumn('content_type', text)
      .addColumn('content_length', integer, (c) => c.notNull())
      .addColumn('etag', text, (c) => c.notNull())
      .addColumn('checksum_sha1', text)
      .addColumn('checksum_sha256', text)
      .addColumn('checksum_md5', text)
      .addColumn('blob', text)
      .addColumn('content_id', id)
      .addColumn('encrypted', flag, (c) => c.notNull())
      .addColumn('attributes', text, (c) => c.notNull())
      .addColumn('retain_until', integer)
      .addColumn('retention_mode', text)
      .addColumn('legal_hold', flag, (c) => c.notNull())
      .addColumn('upload_session_id', id)
      .addColumn('uploaded_at', integer, (c) => c.notNull())
      .addColumn('created_at', integer, (c) => c.notNull())
      .addColumn('updated_at', integer, (c) => c.notNull())
      .addColumn('deleted_at', integer)
      .execute();
    await schema
      .createIndex('storage_objects_live')
      .on('storage_objects')
      .columns(['bucket_id', 'key'])
      .unique()
      .where('state' as never, '=', 'live')
      .execute();
    await schema
      .createIndex('storage_objects_others')
      .on('storage_objects')
      .columns(['bucket_id', 'state', 'key', 'id'])
      .where('state' as never, '<>', 'live')
      .execute();
    await schema
      .createIndex('storage_objects_trashed')
      .on('storage_objects')
      .column('deleted_at')
      .where('state' as never, '=', 'trash')
      .execute();
    for (const column of ['blob', 'content_id'] as const) {
      await schema
        .createIndex(`storage_objects_${column}`)
        .on('storage_objects')
        .column(column)
        .where(column as never, 'is not', null)
        .execute();
    }

    await schema
      .createTable('storage_uploads')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('bucket_id', id, (c) => c.notNull().references('storage_buckets.id'))
      .addColumn('key', text, (c) => c.notNull())
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('state', text, (c) => c.notNull())
      .addColumn('content_type', text)
      .addColumn('content_length', integer)
      .addColumn('checksum_sha1', text)
      .addColumn('checksum_sha256', text)
      .addColumn('checksum_md5', text)
      .addColumn('received', integer, (c) => c.notNull())
      .addColumn('encrypted', flag, (c) => c.notNull())
      .addColumn('attributes', text, (c) => c.notNull())
      .addColumn('object_id', id)
      .addColumn('expires_at', integer, (c) => c.notNull())
      .addColumn('uploaded_at', integer)
      .addColumn('created_at', integer, (c) => c.notNull())
      .addColumn('updated_at', integer, (c) => c.notNull())
      .execute();
    await schema
      .createIndex('storage_uploads_bucket')
      .on('storage_uploads')
      .columns(['bucket_id', 'kind', 'id'])
      .execute();
    await schema
      .createIndex('storage_uploads_expiry')
      .on('storage_uploads')
      .columns(['state', 'expires_at'])
      .execute();

    await schema
      .createTable('storage_pieces')
      .addColumn('content_id', id, (c) => c.notNull())
      .addColumn('number', integer, (c) => c.notNull())
      .addColumn('blob', text, (c) => c.notNull().unique())
      .addColumn('start', integer, (c) => c.notNull())
      .addColumn('size', integer, (c) => c.notNull())
      .addColumn('details', text, (c) => c.notNull())
      .addColumn('created_at', integer, (c) => c.notNull())
      .addPrimaryKeyConstraint('storage_pieces_pk', ['content_id', 'number'])
      .execute();

    await schema
      .createTable('storage_garbage')
      .addColumn('blob', text, (c) => c.primaryKey())
      .addColumn('due_at', integer, (c) => c.notNull())
      .execute();
    await schema.createIndex('storage_garbage_due').on('storage_garbage').column('due_at').execute();

    await schema
      .createTable('storage_usage_days')
      .addColumn('bucket_id', id, (c) => c.notNull().references('storage_buckets.id').onDelete('cascade'))
      .addColumn('day', text, (c) => c.notNull())
      .addColumn('bytes', integer, (c) => c.notNull())
      .addColumn('objects', integer, (c) => c.notNull())
      .addColumn('requests', integer, (c) => c.notNull())
      .addColumn('bytes_in', integer, (c) => c.notNull())
      .addColumn('bytes_out', integer, (c) => c.notNull())
      .addPrimaryKeyConstraint('storage_usage_days_pk', ['bucket_id', 'day'])
      .execute();

    await schema
      .createTable('storage_events')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('bucket_id', id, (c) => c.notNull().references('storage_buckets.id').onDelete('cascade'))
      .addColumn('key', text, (c) => c.notNull())
      .addColumn('body', text, (c) => c.notNull())
      .addColumn('attempts', integer, (c) => c.notNull())
      .addColumn('due_at', integer, (c) => c.notNull())
      .addColumn('created_at', integer, (c) => c.notNull())
      .execute();
    await schema
      .createIndex('storage_events_key')
      .on('storage_events')
      .columns(['bucket_id', 'key', 'id'])
      .execute();
    await schema.createIndex('storage_events_due').on('storage_events').column('due_at').execute();

    await schema
      .createTable('storage_renditions')
      .addColumn('object_id', id, (c) => c.notNull().references('storage_objects.id').onDelete('cascade'))
      .addColumn('spec', text, (c) => c.notNull())
      .addColumn('blob', text, (c) => c.notNull().unique())
      .addColumn('size', integer, (c) => c.notNull())
      .addColumn('content_type', text, (c) => c.notNull())
      .addColumn('encrypted', flag, (c) => c.notNull())
      .addColumn('created_at', integer, (c) => c.notNull())
      .addPrimaryKeyConstraint('storage_renditions_pk', ['object_id', 'spec'])
      .execute();
  },
};
