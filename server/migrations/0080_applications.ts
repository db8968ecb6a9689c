import { randomBytes } from 'node:crypto';
import { newId } from '#core/ids.ts';
import type { Migration } from '#core/migrate.ts';

/** What applications need beside their names: deletion with a grace, branches, pictures, hostnames. */
export const applications: Migration = {
  name: '0080_applications',
  async up(tx, { id, text: textType, bytes, integer }) {
    const { schema } = tx;
    const text = textType as 'text';

    await schema.alterTable('applications').addColumn('created_by_user_id', id).execute();
    await schema.alterTable('applications').addColumn('deleted_at', integer).execute();
    await schema
      .createIndex('applications_organization')
      .on('applications')
      .columns(['organization_id', 'id'])
      .execute();
    await schema.createIndex('applications_deleted').on('applications').column('deleted_at').execute();

    // JSON array of names and patterns.
    await schema
      .alterTable('environments')
      .addColumn('branches', text, (c) => c.notNull().defaultTo('[]'))
      .execute();
    await tx
      .updateTable('environments')
      .set({ branches: '["main"]' })
      .where('slug', '=', 'production')
      .execute();
    await tx.updateTable('environments').set({ branches: '["*"]' }).where('slug', '=', 'preview').execute();

    await schema
      .createTable('application_pictures')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('application_id', id, (c) =>
        c.notNull().unique().references('applications.id').onDelete('cascade'),
      )
      .addColumn('content_type', text, (c) => c.notNull())
      .addColumn('content', bytes, (c) => c.notNull())
      .addColumn('created_at', integer, (c) => c.notNull())
      .execute();

    await schema
      .createTable('hostnames')
      .addColumn('id', id, (c) => c.primaryKey())
      // A label below the domain of applications, which has no dot, or a domain of its owner's, which has one.
      .addColumn('name', text, (c) => c.notNull().unique())
      .addColumn('application_id', id, (c) => c.notNull().references('applications.id').onDelete('cascade'))
      .addColumn('type', text, (c) => c.notNull())
      .addColumn('source', text, (c) => c.notNull())
      .addColumn('environment_id', id, (c) => c.references('environments.id').onDelete('set null'))
      .addColumn('deployment_id', id)
      .addColumn('branch_id', id)
      .addColumn('created_at', integer, (c) => c.notNull())
      .addColumn('updated_at', integer, (c) => c.notNull())
      .execute();
    await schema
      .createIndex('hostnames_application')
      .on('hostnames')
      .columns(['application_id', 'id'])
      .execute();
    await schema.createIndex('hostnames_environment').on('hostnames').column('environment_id').execute();

    // Applications that were there before have a label from now on.
    const taken = new Set<string>();
    for (const { id: applicationId, slug, created_at } of await tx
      .selectFrom('applications')
      .select(['id', 'slug', 'created_at'])
      .orderBy('id')
      .execute()) {
      const short = slug.slice(0, 48).replace(/-+$/, '');
      const name = taken.has(short) ? `${short.slice(0, 43)}-${randomBytes(2).toString('hex')}` : short;
      taken.add(name);
      const times = { created_at, updated_at: created_at };
      const owner = { application_id: applicationId, type: 'APP' as const, source: 'system' as const };
      const target = { environment_id: null, deployment_id: null, branch_id: null };
      await tx
        .insertInto('hostnames')
        .values({ id: newId(created_at), name, ...owner, ...target, ...times })
        .execute();
    }
  },
};
