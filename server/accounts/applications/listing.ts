import { findOrganization, type OrganizationRow } from '#accounts/organizations/service.ts';
import type { Auth } from '#core/actor.ts';
import { Cached } from '#core/cached.ts';
import type { Db } from '#core/db.ts';
import type { Maybe } from '#core/maybe.ts';
import { type Page, toPage } from '#http/paging.ts';
import { applicationSummary, toApplication } from './render.ts';
import { type ApplicationRow, countWanted, find, listWanted, type Wanted } from './store.ts';

/** For the lists that are kept as text, of all organizations together. */
const listBytes = 32 * 1024 * 1024;
/** Of a list for which no limit was given. */
const mostItems = 1000;

export interface ListWanted extends Page {
  /** Undefined: of every organization of the user. */
  organizationId: string | undefined;
  query: string;
  deleted: boolean;
}

/** What a list depends on, and nothing else: equal wishes are answered by one text. */
type Wish = Wanted & Page;

/**
 * Applications as the API sends them, JSON text and all: they are read far more often than they change, and so a read
 * neither asks the database nor serializes.
 */
export class Applications {
  readonly #db: Db;
  readonly #look: { baseUrl: string; graceSeconds: number };
  readonly #texts: Cached<string | null>;
  readonly #lists: Cached<string>;

  constructor(deps: { db: Db; baseUrl: string; graceSeconds: number; max: number }) {
    const { db, baseUrl, graceSeconds, max } = deps;
    this.#db = db;
    this.#look = { baseUrl, graceSeconds };
    this.#texts = new Cached<string | null>({
      notifications: db.notifications,
      max,
      topics: ['application', 'application_profile'],
      load: async (id) => {
        const row = await find(db, id);
        return row && row.deleted_at === null ? JSON.stringify(toApplication(row, baseUrl)) : null;
      },
    });
    this.#lists = new Cached<string>({
      notifications: db.notifications,
      max: listBytes,
      sizeOf: (text) => text.length * 2,
      topics: [],
      sweepingTopics: [
        'application',
        'application_profile',
        'organization',
        'organization_profile',
        'memberships_of',
      ],
      load: async (key) => JSON.stringify(await this.#page(JSON.parse(key) as Wish)),
    });
  }

  /** The JSON of one; null when there is none. */
  one(id: string): Maybe<string | null> {
    return this.#texts.get(id);
  }

  /** The JSON of a page of those that the actor may see, by id. */
  list({ actor }: Auth, wanted: ListWanted): Maybe<string> {
    const { organizationId, limit, after, query, deleted } = wanted;
    const wish: Wish = {
      userId: actor.type === 'user' && organizationId === undefined ? actor.id : null,
      organizationId: actor.type === 'user' ? organizationId : (actor.organizationId ?? ''),
      applicationId: actor.applicationId,
      ...{ limit, after, query, deleted },
    };
    return this.#lists.get(JSON.stringify(wish));
  }

  async #page(wish: Wish) {
    const limit = wish.limit ?? mostItems;
    const [rows, total] = await Promise.all([
      listWanted(this.#db, wish, { limit: limit + 1, after: wish.after }),
      countWanted(this.#db, wish),
    ]);
    const owners = await this.#organizations(rows);
    return toPage(rows, {
      limit,
      total,
      sortKey: (row) => row.id,
      item: (row) => applicationSummary(row, owners.get(row.organization_id) as OrganizationRow, this.#look),
    });
  }

  async #organizations(rows: readonly ApplicationRow[]): Promise<Map<string, OrganizationRow>> {
    const ids = new Set(rows.map((row) => row.organization_id));
    const found = await Promise.all([...ids].map((id) => findOrganization(this.#db, id)));
    return new Map(found.filter((row) => row !== undefined).map((row) => [row.id, row]));
  }
}
