import { type Static, Type } from 'typebox';
import { isId } from '#core/ids.ts';
import { Problem } from '#core/problem.ts';

/**
 * Query of lists that page on request: without `limit` and `cursor` all items come; with either, a page.
 * Fastify turns "25" into 25; anything else is refused.
 */
export const CursorQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Items a page.' })),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1024, description: 'The `nextCursor` of the page before.' }),
  ),
  perPage: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'The same as `limit`, as some clients send it.' }),
  ),
  page: Type.Optional(
    Type.Integer({ minimum: 1, description: '1 is the first page; for others send `cursor`.' }),
  ),
});
export type CursorQuery = Static<typeof CursorQuery>;

const defaultLimit = 10;

export interface Page {
  /** Undefined: all of them. */
  limit: number | undefined;
  /** The sort key of the last item of the page before. */
  after: string | undefined;
}

/** `isSortKey` refuses cursors that hold something else than this list sorts by. */
export function readPage(
  { limit: wanted, cursor, perPage, page = 1 }: CursorQuery,
  isSortKey: (text: string) => boolean = isId,
): Page {
  if (page !== 1 && cursor === undefined) {
    const sentence = 'Pages have no numbers here: send the `nextCursor` of the page before as "cursor".';
    throw new Problem('invalid_request', sentence);
  }
  const limit = wanted ?? perPage;
  if (limit === undefined && cursor === undefined) return { limit: undefined, after: undefined };
  return {
    limit: limit ?? defaultLimit,
    after: cursor === undefined ? undefined : decodeCursor(cursor, isSortKey),
  };
}

/** Cursors are opaque: what they are made of may change. */
function encodeCursor(sortKey: string): string {
  return Buffer.from(sortKey, 'utf8').toString('base64url');
}

function decodeCursor(cursor: string, isSortKey: (text: string) => boolean): string {
  const key = Buffer.from(cursor, 'base64url').toString('utf8');
  if (encodeCursor(key) !== cursor || !isSortKey(key)) {
    throw new Problem('invalid_request', 'The query parameter "cursor" is not one that this list gave out.');
  }
  return key;
}

/**
 * Cuts what a query for `limit + 1` rows found to a page. `sortKey` gives the value that the next page starts after.
 */
export function toPage<Row, Item>(
  rows: readonly Row[],
  options: {
    limit: number | undefined;
    total: number;
    sortKey: (row: Row) => string;
    item: (row: Row) => Item;
  },
): { items: Item[]; total: number; nextCursor?: string } {
  const { limit, total, sortKey, item } = options;
  const kept = limit === undefined ? rows : rows.slice(0, limit);
  const last = kept.at(-1);
  const more = kept.length < rows.length && last !== undefined;
  return { items: kept.map(item), total, ...(more ? { nextCursor: encodeCursor(sortKey(last)) } : {}) };
}
