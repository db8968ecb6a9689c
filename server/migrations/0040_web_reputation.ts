import { sql } from 'kysely';
import type { Migration } from '#core/migrate.ts';

/** What operators and organizations say of domains, whatever the lists say. */
export const webReputation: Migration = {
  name: '0040_web_reputation',
  async up(tx, { id, text: textType, integer }) {
    const { schema } = tx;
    const text = textType as 'text';

    await schema
      .createTable('reputation_overrides')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('organization_id', id, (c) => c.references('organizations.id').onDelete('cascade'))
      .addColumn('domain', text, (c) => c.notNull())
      .addColumn('action', text, (c) => c.notNull())
      .addColumn('status', text, (c) => c.notNull())
      .addColumn('note', text)
      .addColumn('created_at', integer, (c) => c.notNull())
      .addColumn('updated_at', integer, (c) => c.notNull())
      .execute();
    await schema
      .createIndex('reputation_overrides_domain')
      .on('reputation_overrides')
      .columns(['organization_id', 'domain'])
      .unique()
      .execute();
    // Two absent organizations are not equal to an index.
    await schema
      .createIndex('reputation_overrides_instance')
      .on('reputation_overrides')
      .column('domain')
      .unique()
      .where(sql.ref('organization_id'), 'is', null)
      .execute();
  },
};
