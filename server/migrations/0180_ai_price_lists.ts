import type { Migration } from '#core/migrate.ts';

/** What the price list of the operator said last: it holds while its address cannot be reached. */
export const aiPriceLists: Migration = {
  name: '0180_ai_price_lists',
  async up(tx, { text: textType, integer }) {
    const text = textType as 'text';
    await tx.schema
      .createTable('ai_price_lists')
      .addColumn('url', text, (c) => c.primaryKey())
      .addColumn('body', text)
      .addColumn('etag', text)
      .addColumn('as_of', integer)
      .addColumn('fetched_at', integer)
      .addColumn('tried_at', integer, (c) => c.notNull())
      .addColumn('failure', text)
      .execute();
  },
};
