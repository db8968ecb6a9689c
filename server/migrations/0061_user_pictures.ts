import type { Migration } from '#core/migrate.ts';

/** Pictures of people, one each. */
export const userPictures: Migration = {
  name: '0061_user_pictures',
  async up(tx, { id, text: textType, bytes, integer }) {
    const { schema } = tx;
    const text = textType as 'text';

    await schema
      .createTable('user_pictures')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('user_id', id, (c) => c.notNull().unique().references('users.id').onDelete('cascade'))
      .addColumn('content_type', text, (c) => c.notNull())
      .addColumn('content', bytes, (c) => c.notNull())
      .addColumn('created_at', integer, (c) => c.notNull())
      .execute();
  },
};
