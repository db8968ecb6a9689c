import { Cached } from '#core/cached.ts';
import type { Db } from '#core/db.ts';
import { andThen, type Maybe } from '#core/maybe.ts';
import { toOrganization } from './render.ts';
import { membershipsTopic, profileTopic, standingTopic } from './service.ts';
import { find, idsOfUser, listDeletedOfUser, listOfUser, type OrganizationRow } from './store.ts';

/** Users with more organizations are answered from the database. */
const maxRememberedIds = 1000;

export interface Page {
  from: string | undefined;
  limit: number;
}

/**
 * Organizations as the API sends them, JSON text and all: they are read far more often than they change, and so a read
 * neither asks the database nor serializes.
 */
export class Organizations {
  readonly #db: Db;
  readonly #baseUrl: string;
  readonly #texts: Cached<string | null>;
  /** By user: the ids of the organizations, in order; null when they are too many to remember. */
  readonly #ids: Cached<readonly string[] | null>;

  constructor({ db, baseUrl, max }: { db: Db; baseUrl: string; max: number }) {
    this.#db = db;
    this.#baseUrl = baseUrl;
    this.#texts = new Cached<string | null>({
      notifications: db.notifications,
      max,
      topics: [profileTopic, standingTopic],
      load: async (id) => {
        const row = await find(db, id);
        return row ? this.#toText(row) : null;
      },
    });
    this.#ids = new Cached<readonly string[] | null>({
      notifications: db.notifications,
      max,
      topics: [membershipsTopic],
      sweepingTopics: [standingTopic],
      load: async (userId) => {
        const ids = await idsOfUser(db, userId, maxRememberedIds);
        return ids.length > maxRememberedIds ? null : ids;
      },
    });
  }

  /** The JSON of one; null when there is none. */
  one(id: string): Maybe<string | null> {
    return this.#texts.get(id);
  }

  /** The JSON of a page of the user's organizations. */
  ofUser(userId: string, page: Page): Maybe<string> {
    return andThen(this.#ids.get(userId), (ids) => {
      if (!ids) return listOfUser(this.#db, userId, page).then((found) => this.#fromRows(found, page));
      const start = page.from === undefined ? 0 : ids.findIndex((id) => id > (page.from as string));
      const rest = start < 0 ? [] : ids.slice(start, start + page.limit + 1);
      return this.#fromIds(rest, ids.length, page.limit);
    });
  }

  async deletedOfUser(userId: string, page: Page): Promise<string> {
    return this.#fromRows(await listDeletedOfUser(this.#db, userId, page), page);
  }

  /** The JSON of a list that holds this organization alone, or nothing. */
  alone(id: string, page: Page): Maybe<string> {
    const isAfter = page.from === undefined || id > page.from;
    return this.#fromIds(isAfter ? [id] : [], 1, page.limit);
  }

  #fromIds(ids: readonly string[], total: number, limit: number): Maybe<string> {
    const shown = ids.slice(0, limit);
    const cursor = ids.length > limit ? shown.at(-1) : undefined;
    const texts = shown.map((id) => this.#texts.get(id));
    if (texts.some((text) => text instanceof Promise)) {
      return Promise.all(texts).then((all) => listText(all, total, cursor));
    }
    return listText(texts as (string | null)[], total, cursor);
  }

  #fromRows({ rows, total }: { rows: OrganizationRow[]; total: number }, { limit }: Page): string {
    const shown = rows.slice(0, limit);
    const cursor = rows.length > limit ? shown.at(-1)?.id : undefined;
    return listText(
      shown.map((row) => this.#toText(row)),
      total,
      cursor,
    );
  }

  #toText(row: OrganizationRow): string {
    return JSON.stringify(toOrganization(row, this.#baseUrl));
  }
}

function listText(texts: readonly (string | null)[], total: number, cursor: string | undefined): string {
  const next = cursor === undefined ? '' : `,"nextCursor":"${cursor}"`;
  return `{"items":[${texts.filter((text) => text !== null).join(',')}],"total":${total}${next}}`;
}
