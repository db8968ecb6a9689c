import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { isId } from '#core/ids.ts';
import { Problem } from '#core/problem.ts';

/**
 * Query of lists that page on request: without `limit` and `cursor` all items come; with either, a page.
 * Fastify turns "25" into 25; anything else is refused.
 */
export const CursorQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Items per page.' })),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1024, description: 'The `nextCursor` of the previous page.' }),
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
export function readPage({ limit, cursor }: CursorQuery, isSortKey: (text: string) => boolean = isId): Page {
  if (limit === undefined && cursor === undefined) return { limit: undefined, after: undefined };
  return {
    limit: limit ?? defaultLimit,
    after: cursor === undefined ? undefined : decodeCursor(cursor, isSortKey),
  };
}

/**
 * Every list that takes a `cursor` also takes the `perPage` and `page` of existing clients: `perPage` is another name of
 * `limit`, and `page` without a cursor can only be the first.
 */
export function registerPaging(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const query = route.schema?.querystring as { properties?: object } | undefined;
    if (!query?.properties || !('cursor' in query.properties)) return;
    route.preValidation = [
      (request, _reply, done) => {
        const given = request.query as Record<string, unknown>;
        const { page, perPage, cursor } = given;
        if (page !== undefined && page !== '1' && cursor === undefined) {
          const sentence =
            'Page numbers are not supported: send the "nextCursor" of the previous page as "cursor".';
          return done(new Problem('invalid_request', sentence));
        }
        if (perPage !== undefined) given['limit'] ??= perPage;
        done();
      },
      ...[route.preValidation ?? []].flat(),
    ];
  });
}

/** How the API description shows them. */
export const olderPaging = {
  perPage: { type: 'integer', minimum: 1, description: 'Alias of `limit`.' },
  page: {
    type: 'integer',
    minimum: 1,
    description: 'Only 1, the first page; for other pages send `cursor`.',
  },
};

/** Cursors are opaque: what they are made of may change. */
export function encodeCursor(sortKey: string): string {
  return Buffer.from(sortKey, 'utf8').toString('base64url');
}

export function decodeCursor(cursor: string, isSortKey: (text: string) => boolean): string {
  const key = Buffer.from(cursor, 'base64url').toString('utf8');
  if (encodeCursor(key) !== cursor || !isSortKey(key)) {
    throw new Problem('invalid_request', 'The query parameter "cursor" is not valid for this list.');
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

/**
 * A page of a list, as its query asks for it. `rows` gives up to `limit` rows after the sort key `after`, in order; one
 * more than the page holds is asked for, which tells whether there are more.
 */
export async function listPage<Row, Item>(
  query: CursorQuery,
  list: {
    rows(page: Page): Promise<readonly Row[]>;
    count(): Promise<number>;
    sortKey(row: Row): string;
    item(row: Row): Item;
    /** Refuses cursors of something else; ids unless told otherwise. */
    isSortKey?(text: string): boolean;
    /** For lists that only grow: they page even when the query does not ask for it. */
    defaultLimit?: number;
  },
): Promise<{ items: Item[]; total: number; nextCursor?: string }> {
  const { sortKey, item, defaultLimit } = list;
  const { limit = defaultLimit, after } = readPage(query, list.isSortKey);
  const [rows, counted] = await Promise.all([
    list.rows({ limit: limit === undefined ? undefined : limit + 1, after }),
    limit === undefined ? undefined : list.count(),
  ]);
  return toPage(rows, { limit, total: counted ?? rows.length, sortKey, item });
}
