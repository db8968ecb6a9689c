import type { Migration } from '#core/migrate.ts';

/** Deployments, the parts of their archives, what their builds printed, and which blobs they hold. */
export const deployments: Migration = {
  name: '0120_deployments',
  async up(tx, { id, text: textType, bytes, integer }) {
    const { schema } = tx;
    const text = textType as 'text';
    await schema
      .createTable('deployments')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('application_id', id, (c) => c.notNull().references('applications.id').onDelete('cascade'))
      .addColumn('environment_id', id, (c) => c.notNull().references('environments.id').onDelete('cascade'))
      .addColumn('status', text, (c) => c.notNull())
      .addColumn('reason', text)
      .addColumn('branch', text)
      .addColumn('git_sha', text)
      .addColumn('prebuilt', integer, (c) => c.notNull())
      .addColumn('redeploy_of', id)
      .addColumn('actor_type', text, (c) => c.notNull())
      .addColumn('actor_id', id)
      .addColumn('upload_id', text)
      // The parts of the archive in order, as JSON; null until the upload is complete.
      .addColumn('source', text)
      // The blob of the manifest; null until the artefact is written.
      .addColumn('artefact', text)
      // What the dashboard shows of it, as JSON: framework, functions, routes, sizes.
      .addColumn('summary', text)
      // The variables that it was resolved with, sealed.
      .addColumn('variables', bytes)
      // Until then one process works on it.
      .addColumn('leased_until', integer)
      .addColumn('lease', text)
      .addColumn('attempts', integer, (c) => c.notNull())
      .addColumn('cancel_requested_at', integer)
      .addColumn('active_at', integer)
      .addColumn('finished_at', integer)
      .addColumn('created_at', integer, (c) => c.notNull())
      .addColumn('updated_at', integer, (c) => c.notNull())
      .execute();
    await schema
      .createIndex('deployments_application')
      .on('deployments')
      .columns(['application_id', 'id'])
      .execute();
    // What is to be worked on is few among all.
    await schema.createIndex('deployments_status').on('deployments').columns(['status', 'id']).execute();
    await schema
      .createTable('deployment_parts')
      .addColumn('deployment_id', id, (c) => c.notNull().references('deployments.id').onDelete('cascade'))
      .addColumn('part_number', integer, (c) => c.notNull())
      .addColumn('blob', text, (c) => c.notNull())
      .addColumn('etag', text, (c) => c.notNull())
      .addColumn('size', integer, (c) => c.notNull())
      .addPrimaryKeyConstraint('deployment_parts_key', ['deployment_id', 'part_number'])
      .execute();
    await schema
      .createTable('deployment_blobs')
      .addColumn('deployment_id', id, (c) => c.notNull().references('deployments.id').onDelete('cascade'))
      .addColumn('blob', text, (c) => c.notNull())
      .addPrimaryKeyConstraint('deployment_blobs_key', ['deployment_id', 'blob'])
      .execute();
    await schema.createIndex('deployment_blobs_blob').on('deployment_blobs').column('blob').execute();
    await schema
      .createTable('deployment_log')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('deployment_id', id, (c) => c.notNull().references('deployments.id').onDelete('cascade'))
      .addColumn('seq', integer, (c) => c.notNull())
      .addColumn('type', text, (c) => c.notNull())
      .addColumn('message', text, (c) => c.notNull())
      .addColumn('created_at', integer, (c) => c.notNull())
      .execute();
    await schema
      .createIndex('deployment_log_seq')
      .on('deployment_log')
      .columns(['deployment_id', 'seq'])
      .unique()
      .execute();
  },
};
