import { LRUCache } from 'lru-cache';
import { Cached } from '#core/cached.ts';
import type { Db, Tx } from '#core/db.ts';
import type { Maybe } from '#core/maybe.ts';
import { sourceOf } from './render.ts';
import { resolveReferences, type Variable } from './resolve.ts';
import { envVarsTopic, ofOrganization } from './service.ts';
import { type EnvVarRow, list, listOfApplication } from './store.ts';
import type { Values } from './values.ts';

/** What an application sees: of the organization, of the application, of the environment if there is one. */
export interface View {
  organizationId: string;
  applicationId: string;
  environmentId: string | null;
}

export interface EffectiveVariable extends Variable {
  key: string;
  source: 'organization' | 'application' | 'environment';
}

type Rows = readonly EnvVarRow[];

/** By key, the nearest of each: environment before application before organization. */
export function nearest(
  ofOrganizationRows: Rows,
  ofApplicationRows: Rows,
  environmentId: string | null,
): EnvVarRow[] {
  const found = new Map<string, EnvVarRow>();
  for (const row of ofOrganizationRows) found.set(row.key, row);
  for (const row of ofApplicationRows) if (row.environment_id === '') found.set(row.key, row);
  if (environmentId !== null)
    for (const row of ofApplicationRows) if (row.environment_id === environmentId) found.set(row.key, row);
  return [...found.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** The variables of a view with their references replaced, whichever scope these lead to. */
function resolveRows(rows: Rows, values: Values): EffectiveVariable[] {
  const variables = new Map(
    rows.map((row) => [row.key, { value: values.open(row), sensitive: row.sensitive === 1 }]),
  );
  const resolved = resolveReferences(variables);
  return rows.map((row) => ({
    key: row.key,
    ...(resolved.get(row.key) as Variable),
    source: sourceOf(row),
  }));
}

/** For what runs an application: every value, sensitive ones too. Never for an answer of the API. */
export async function effectiveVariables(
  db: Db | Tx,
  values: Values,
  { organizationId, applicationId, environmentId }: View,
): Promise<EffectiveVariable[]> {
  const outer = await list(db, ofOrganization(organizationId));
  const own = await listOfApplication(db, applicationId);
  return resolveRows(nearest(outer, own, environmentId), values);
}

/** For rows and texts each, of all applications together. */
const maxBytes = 32 * 1024 * 1024;

interface Text {
  outer: Rows;
  own: Rows;
  json: string;
}

/**
 * What pulls answer, kept as text as long as the rows stand that it was made of: programs pull at every start, and
 * variables rarely change. Rows are kept as they are stored, encrypted; texts hold no sensitive value.
 */
export class Pulls {
  readonly #values: Values;
  readonly #outer: Cached<Rows>;
  readonly #own: Cached<Rows>;
  readonly #texts: LRUCache<string, Text>;

  constructor({ db, values }: { db: Db; values: Values }) {
    this.#values = values;
    const common = {
      notifications: db.notifications,
      max: maxBytes,
      topics: [envVarsTopic] as const,
      sizeOf,
    };
    this.#outer = new Cached<Rows>({ ...common, load: (id) => list(db, ofOrganization(id)) });
    this.#own = new Cached<Rows>({ ...common, load: (id) => listOfApplication(db, id) });
    this.#texts = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ json }) => json.length * 2 + 1 });
  }

  json(view: View): Maybe<string> {
    const outer = this.#outer.get(view.organizationId);
    const own = this.#own.get(view.applicationId);
    if (outer instanceof Promise || own instanceof Promise)
      return Promise.all([outer, own]).then(([o, a]) => this.#text(view, o, a));
    return this.#text(view, outer, own);
  }

  /** The rows of the organization and of the application with all its environments. */
  async rows({ organizationId, applicationId }: View): Promise<{ outer: Rows; own: Rows }> {
    const [outer, own] = await Promise.all([this.#outer.get(organizationId), this.#own.get(applicationId)]);
    return { outer, own };
  }

  async resolved(view: View): Promise<EffectiveVariable[]> {
    const { outer, own } = await this.rows(view);
    return resolveRows(nearest(outer, own, view.environmentId), this.#values);
  }

  #text(view: View, outer: Rows, own: Rows): string {
    const key = `${view.applicationId}:${view.environmentId ?? ''}`;
    const known = this.#texts.get(key);
    if (known && known.outer === outer && known.own === own) return known.json;
    const all = resolveRows(nearest(outer, own, view.environmentId), this.#values);
    const plain = all.filter(({ sensitive }) => !sensitive);
    const items = plain.map(({ key: name, value, source }) => ({ key: name, value, source }));
    const json = JSON.stringify({
      items,
      total: items.length,
      omittedSensitive: all.length - plain.length,
    });
    this.#texts.set(key, { outer, own, json });
    return json;
  }
}

function sizeOf(rows: Rows): number {
  return rows.reduce((sum, row) => sum + row.key.length * 2 + row.value.length + 400, 0);
}

/** What two environments see, key by key. Values of secrets are not compared: an answer would help to guess them. */
export function compare(values: Values, left: readonly EnvVarRow[], right: readonly EnvVarRow[]) {
  const lefts = new Map(left.map((row) => [row.key, row]));
  const rights = new Map(right.map((row) => [row.key, row]));
  const side = (row: EnvVarRow | undefined) =>
    row
      ? {
          value: row.sensitive === 1 ? null : values.open(row),
          sensitive: row.sensitive === 1,
          source: sourceOf(row),
        }
      : null;
  const keys = [...new Set([...lefts.keys(), ...rights.keys()])].sort();
  return keys.map((key) => {
    const [l, r] = [lefts.get(key), rights.get(key)];
    const [a, b] = [side(l), side(r)];
    const isSecret = a?.sensitive || b?.sensitive;
    const status =
      (!a && ('only_right' as const)) ||
      (!b && ('only_left' as const)) ||
      (l?.id === r?.id && ('same' as const)) ||
      (isSecret && ('secret' as const)) ||
      (a?.value === b?.value ? ('same' as const) : ('different' as const));
    return { key, status, left: a, right: b };
  });
}
