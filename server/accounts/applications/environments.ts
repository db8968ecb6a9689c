import { type ActionOf, type AuditSource, audit } from '#accounts/audit-log/service.ts';
import type { Auth } from '#core/actor.ts';
import { Cached } from '#core/cached.ts';
import type { Clock } from '#core/clock.ts';
import { counted } from '#core/counted.ts';
import type { Db, Tx } from '#core/db.ts';
import { isId, newId } from '#core/ids.ts';
import { andThen, type Maybe } from '#core/maybe.ts';
import { announce } from '#core/notifications.ts';
import { Problem } from '#core/problem.ts';
import { freeSlug, slugify } from '#core/slug.ts';
import { checkBranches } from './branches.ts';
import {
  type EnvironmentRow,
  findEnvironment,
  insertEnvironment,
  listEnvironments,
  removeEnvironment,
  updateEnvironment,
} from './environment-store.ts';
import { isLive } from './hostname-store.ts';
import { type ApplicationRow, find, update } from './store.ts';

/** An environment of an application, as other areas see it. */
export interface Environment {
  readonly id: string;
  readonly applicationId: string;
  readonly name: string;
  readonly slug: string;
  /** Names and patterns of the branches that it takes. */
  readonly branches: readonly string[];
  /** Whether it goes back to the deployment before where a new one crashes again and again. */
  readonly rollBackOnCrash: boolean;
  /** Whether each function of its live deployment keeps a process running. */
  readonly alwaysOn: boolean;
  readonly isDefault: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

interface EnvironmentFields {
  name?: string | undefined;
  slug?: string | undefined;
  branches?: readonly string[] | undefined;
  rollBackOnCrash?: boolean | undefined;
  alwaysOn?: boolean | undefined;
}

/** What an area has in environments. */
export interface EnvironmentUse {
  /** What is active in it, as in "2 buckets"; null when nothing is. The environment cannot be deleted meanwhile. */
  activeIn?(tx: Tx, environmentId: string): Promise<string | null>;
  /** Removes what the area keeps of the environment, in the transaction of its deletion. */
  remove?(tx: Tx, environment: { id: string; applicationId: string }): Promise<void>;
}

/** Notification: the environments of an application changed; the key is its id. */
const environmentsTopic = 'environments';

export class Environments {
  readonly #clock: Clock;
  readonly #quota: number;
  readonly #uses: EnvironmentUse[] = [];
  readonly #known: Cached<readonly Environment[]>;

  constructor(deps: { db: Db; clock: Clock; max: number; quota: number }) {
    const { db, clock, max, quota } = deps;
    this.#clock = clock;
    this.#quota = quota;
    this.#known = new Cached<readonly Environment[]>({
      notifications: db.notifications,
      max,
      topics: [environmentsTopic, 'application', 'application_profile'],
      load: async (applicationId) => {
        const [application, rows] = await Promise.all([
          find(db, applicationId),
          listEnvironments(db, applicationId),
        ]);
        return rows.map((row) => toEnvironment(row, application?.default_environment_slug));
      },
    });
  }

  /** Areas that keep something in environments say so once, when they are opened. */
  use(use: EnvironmentUse): void {
    this.#uses.push(use);
  }

  /** All of the application, in the order of their creation. */
  all(applicationId: string): Maybe<readonly Environment[]> {
    return this.#known.get(applicationId);
  }

  /** Those that the actor may act in: a token of a deployment knows one. */
  visibleTo(auth: Auth, applicationId: string): Maybe<readonly Environment[]> {
    const only = auth.actor.environmentId;
    return andThen(this.all(applicationId), (all) =>
      only === null ? all : all.filter(({ id }) => id === only),
    );
  }

  /**
   * The environment that a request means: by slug or id; where it names none, that of the token, else the application's
   * default one. Throws `Problem('not_found')` for one that the application does not have or the token may not see.
   */
  resolve(auth: Auth, applicationId: string, wanted?: string): Maybe<Environment> {
    return andThen(this.visibleTo(auth, applicationId), (visible) => {
      const found =
        wanted === undefined
          ? auth.actor.environmentId === null
            ? visible.find(({ isDefault }) => isDefault)
            : visible[0]
          : named(visible, wanted);
      if (!found) throw noEnvironment();
      return found;
    });
  }

  /** The same in a transaction, by id alone. */
  async inTransaction(tx: Tx, auth: Auth, applicationId: string, id: string): Promise<EnvironmentRow> {
    const only = auth.actor.environmentId;
    const row = only === null || only === id ? await findEnvironment(tx, applicationId, id) : undefined;
    if (!row) throw noEnvironment();
    return row;
  }

  async create(
    tx: Tx,
    source: AuditSource,
    application: ApplicationRow,
    wanted: EnvironmentFields & { name: string },
  ): Promise<EnvironmentRow> {
    const { branches = [], rollBackOnCrash = false, alwaysOn = false } = wanted;
    const present = await listEnvironments(tx, application.id);
    if (present.length >= this.#quota) {
      const sentence = `The application has ${counted(present.length, 'environment')}, and ${this.#quota} is the limit. Delete one, or ask the operator for more.`;
      throw new Problem('forbidden', sentence);
    }
    demandFreeBranches(present, branches, null);
    const taken = new Set(present.map(({ slug }) => slug));
    if (wanted.slug !== undefined && taken.has(wanted.slug)) throw slugTaken(wanted.slug);
    const slug =
      wanted.slug ?? (await freeSlug(slugify(wanted.name, 'environment'), async (one) => taken.has(one)));
    demandNoId(slug);
    const now = this.#clock.now();
    const row: EnvironmentRow = {
      id: newId(now),
      application_id: application.id,
      name: wanted.name,
      slug,
      branches: JSON.stringify(branches),
      rolls_back_on_crash: Number(rollBackOnCrash),
      always_on: Number(alwaysOn),
      created_at: now,
      updated_at: now,
    };
    await insertEnvironment(tx, row);
    announce(tx, environmentsTopic, application.id);
    await auditChange(tx, source, application, row, 'created', { name: row.name, slug, branches });
    return row;
  }

  async change(
    tx: Tx,
    source: AuditSource,
    application: ApplicationRow,
    row: EnvironmentRow,
    changes: EnvironmentFields,
  ): Promise<EnvironmentRow> {
    const { name = row.name, slug = row.slug } = changes;
    const branches = changes.branches === undefined ? row.branches : JSON.stringify(changes.branches);
    const { rollBackOnCrash = row.rolls_back_on_crash === 1, alwaysOn = row.always_on === 1 } = changes;
    const [rolls_back_on_crash, always_on] = [Number(rollBackOnCrash), Number(alwaysOn)];
    const isSame = name === row.name && slug === row.slug && branches === row.branches;
    const isKept =
      rolls_back_on_crash === (row.rolls_back_on_crash ?? 0) && always_on === (row.always_on ?? 0);
    if (isSame && isKept) return row;
    const present = await listEnvironments(tx, application.id);
    if (slug !== row.slug) {
      demandNoId(slug);
      if (present.some((other) => other.slug === slug)) throw slugTaken(slug);
    }
    if (changes.branches) demandFreeBranches(present, changes.branches, row.id);
    const now = this.#clock.now();
    const after = { name, slug, branches, rolls_back_on_crash, always_on, updated_at: now };
    await updateEnvironment(tx, row.id, after);
    if (slug !== row.slug && application.default_environment_slug === row.slug) {
      await update(tx, application.id, { default_environment_slug: slug, updated_at: now });
      announce(tx, 'application_profile', application.id);
    }
    announce(tx, environmentsTopic, application.id);
    const details = { from: facts(row), to: facts(after) };
    await auditChange(tx, source, application, row, 'updated', details);
    return { ...row, ...after };
  }

  /** Also deletes its variables and keys. Rejected while the environment has active resources. */
  async delete(tx: Tx, source: AuditSource, application: ApplicationRow, row: EnvironmentRow): Promise<void> {
    if (application.default_environment_slug === row.slug) {
      const sentence = `"${row.slug}" is the default environment of the application. Make another one the default first.`;
      throw new Problem('conflict', sentence);
    }
    const active = (await isLive(tx, row.id)) ? 'a deployment' : await this.#activeIn(tx, row.id);
    if (active) {
      throw new Problem(
        'conflict',
        `The environment "${row.slug}" still has ${active}. Remove that first, then delete the environment.`,
      );
    }
    for (const use of this.#uses) await use.remove?.(tx, { id: row.id, applicationId: application.id });
    await removeEnvironment(tx, row.id);
    announce(tx, environmentsTopic, application.id);
    // Keys that are bound to the environment are gone with it: every node looks at them again.
    announce(tx, 'application', application.id);
    await auditChange(tx, source, application, row, 'deleted', { name: row.name, slug: row.slug });
  }

  async #activeIn(tx: Tx, environmentId: string): Promise<string | null> {
    for (const use of this.#uses) {
      const active = await use.activeIn?.(tx, environmentId);
      if (active) return active;
    }
    return null;
  }
}

export function toEnvironment(row: EnvironmentRow, defaultSlug: string | undefined): Environment {
  return {
    id: row.id,
    applicationId: row.application_id,
    name: row.name,
    slug: row.slug,
    branches: JSON.parse(row.branches) as string[],
    rollBackOnCrash: row.rolls_back_on_crash === 1,
    alwaysOn: row.always_on === 1,
    isDefault: row.slug === defaultSlug,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function named(environments: readonly Environment[], wanted: string): Environment | undefined {
  const id = isId(wanted) ? wanted.toLowerCase() : undefined;
  return environments.find((one) => (id === undefined ? one.slug === wanted : one.id === id));
}

/** A branch that two environments name would go to one of them by chance. Patterns may overlap: a name comes first. */
function demandFreeBranches(
  present: readonly EnvironmentRow[],
  branches: readonly string[],
  except: string | null,
): void {
  checkBranches(branches);
  for (const other of present) {
    if (other.id === except) continue;
    const shared = branches.find((branch) => (JSON.parse(other.branches) as string[]).includes(branch));
    if (shared !== undefined)
      throw new Problem('conflict', `The environment "${other.slug}" takes the branch "${shared}" already.`);
  }
}

/** Slugs and ids stand in the same places. */
function demandNoId(slug: string): void {
  if (isId(slug))
    throw new Problem('invalid_request', 'The field "slug" must not have the form of an id (UUID).');
}

function noEnvironment(): Problem {
  return new Problem('not_found', 'The application has no such environment, or the token may not see it.');
}

function slugTaken(slug: string): Problem {
  return new Problem('conflict', `The application has an environment "${slug}" already.`);
}

type Facts = Pick<EnvironmentRow, 'name' | 'slug' | 'branches' | 'rolls_back_on_crash' | 'always_on'>;

function facts({ name, slug, branches, rolls_back_on_crash, always_on }: Facts) {
  const [rollBackOnCrash, alwaysOn] = [rolls_back_on_crash === 1, always_on === 1];
  return { name, slug, branches: JSON.parse(branches) as string[], rollBackOnCrash, alwaysOn };
}

function auditChange(
  tx: Tx,
  source: AuditSource,
  application: ApplicationRow,
  row: EnvironmentRow,
  what: ActionOf<'environment'>,
  details: Record<string, unknown>,
): Promise<void> {
  return audit(tx, source, {
    organizationId: application.organization_id,
    action: `environment.${what}`,
    targetType: 'environment',
    targetId: row.id,
    details: { applicationId: application.id, ...details },
  });
}
