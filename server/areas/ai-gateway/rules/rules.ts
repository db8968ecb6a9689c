import { Cached } from '#core/cached.ts';
import type { Db } from '#core/db.ts';
import { andThen, type Maybe } from '#core/maybe.ts';
import { windowStart } from '../ledger/amounts.ts';
import { budgetsTopic } from '../ledger/journal.ts';
import type { BudgetWindow } from '../ledger/windows.ts';
import type { PolicyBody } from './schema.ts';
import { type BudgetRow, listAliases, listBudgets, listPolicies, type PolicyRow } from './store.ts';

declare module '#core/notifications.ts' {
  interface Topics {
    /** Key: organization id. */
    ai_policies: true;
  }
}

/** Notification of a change to the policies or aliases of an organization, whose id is the key. */
export const policiesTopic = 'ai_policies';

/** Whose request it is, as far as rules care. */
export interface Subject {
  organizationId: string;
  applicationId: string | null;
  apiKeyId: string | null;
  userId: string | null;
}

/** One level's rules, with what a refusal says of where they stand. */
interface Level {
  name: 'organization' | 'application' | 'API key';
  body: PolicyBody;
}

/** What holds for a request: of several levels the strictest. */
export interface Rules {
  levels: readonly Level[];
  requireZdr: boolean;
  allowFallbacks: boolean;
  maxOutputTokens: number | null;
  /** For how long answers may be kept; null: nobody says. */
  cacheTtlSeconds: number | null;
  requestsPerMinute: { limit: number; level: string }[];
  tokensPerMinute: { limit: number; level: string }[];
}

interface Stored {
  policies: readonly { row: PolicyRow; body: PolicyBody }[];
  aliases: ReadonlyMap<string, readonly string[]>;
}

/** What organizations decided, from memory. */
export class RuleBook {
  readonly #stored: Cached<Stored>;
  readonly #budgets: Cached<readonly BudgetRow[]>;

  constructor({ db, max }: { db: Db; max: number }) {
    this.#stored = new Cached<Stored>({
      notifications: db.notifications,
      max,
      topics: [policiesTopic],
      load: async (organizationId) => {
        const aliases = await listAliases(db, organizationId);
        return {
          policies: (await listPolicies(db, organizationId)).map((row) => ({
            row,
            body: JSON.parse(row.body) as PolicyBody,
          })),
          aliases: new Map(aliases.map(({ alias, models }) => [alias, JSON.parse(models) as string[]])),
        };
      },
    });
    this.#budgets = new Cached<readonly BudgetRow[]>({
      notifications: db.notifications,
      max,
      topics: [budgetsTopic],
      load: (organizationId) => listBudgets(db, organizationId),
    });
  }

  rules(subject: Subject): Maybe<Rules> {
    return andThen(this.#stored.get(subject.organizationId), ({ policies }) =>
      combine(levelsFor(policies, subject)),
    );
  }

  /** The models of an alias; undefined: it is none. */
  alias(organizationId: string, name: string): Maybe<readonly string[] | undefined> {
    return andThen(this.#stored.get(organizationId), ({ aliases }) => aliases.get(name));
  }

  aliases(organizationId: string): Maybe<ReadonlyMap<string, readonly string[]>> {
    return andThen(this.#stored.get(organizationId), ({ aliases }) => aliases);
  }

  /** The budgets that count the request. */
  budgets(subject: Subject): Maybe<readonly BudgetRow[]> {
    return andThen(this.#budgets.get(subject.organizationId), (rows) =>
      rows.filter(
        (row) =>
          row.enabled === 1 &&
          (row.application_id === '' || row.application_id === subject.applicationId) &&
          (row.api_key_id === '' || row.api_key_id === subject.apiKeyId) &&
          (row.user_id === '' || row.user_id === subject.userId),
      ),
    );
  }
}

export function toWindow(row: BudgetRow, now: number): BudgetWindow {
  return {
    budgetId: row.id,
    windowStart: windowStart(row.period, now),
    limit: {
      nanos: row.max_cost_micros === null ? Number.POSITIVE_INFINITY : row.max_cost_micros * 1000,
      requests: row.max_requests ?? Number.POSITIVE_INFINITY,
      tokens: row.max_tokens ?? Number.POSITIVE_INFINITY,
    },
  };
}

function levelsFor(policies: Stored['policies'], subject: Subject): Level[] {
  const levels: Level[] = [];
  for (const { row, body } of policies) {
    if (row.application_id !== '' && row.application_id !== subject.applicationId) continue;
    if (row.api_key_id !== '' && row.api_key_id !== subject.apiKeyId) continue;
    const name =
      row.api_key_id !== '' ? 'API key' : row.application_id !== '' ? 'application' : 'organization';
    levels.push({ name, body });
  }
  return levels;
}

function combine(levels: readonly Level[]): Rules {
  const least = (values: (number | null | undefined)[]) => {
    const given = values.filter((value) => typeof value === 'number');
    return given.length > 0 ? Math.min(...given) : null;
  };
  const limits = (field: 'requestsPerMinute' | 'tokensPerMinute') =>
    levels.flatMap(({ name, body }) => {
      const limit = body[field];
      return typeof limit === 'number' ? [{ limit, level: name }] : [];
    });
  return {
    levels,
    requireZdr: levels.some(({ body }) => body.requireZdr === true),
    allowFallbacks: levels.every(({ body }) => body.allowFallbacks !== false),
    maxOutputTokens: least(levels.map(({ body }) => body.maxOutputTokens)),
    cacheTtlSeconds: least(levels.map(({ body }) => body.cacheTtlSeconds)),
    requestsPerMinute: limits('requestsPerMinute'),
    tokensPerMinute: limits('tokensPerMinute'),
  };
}

/** Whether a pattern with `*` wildcards names this. Linear: each piece is looked for once, from where the last ended. */
function matchesWildcard(pattern: string, name: string): boolean {
  const pieces = pattern.split('*');
  const [first = '', ...rest] = pieces;
  if (rest.length === 0) return pattern === name;
  if (!name.startsWith(first)) return false;
  const last = rest.pop() ?? '';
  let at = first.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

export interface Denial {
  rule: 'allowedModels' | 'allowedProviders' | 'requireZdr';
  reason: string;
}

const changers = {
  organization: 'An admin of the organization can change it.',
  application: 'An admin of the organization can change it for the application.',
  'API key': 'An admin of the organization can change it for the key.',
};

/** Why a policy keeps this model of this provider from the request; undefined: it does not. */
export function denialOf(
  rules: Rules,
  candidate: { model: string; upstream: string; provider: { slug: string; zdr: boolean } },
): Denial | undefined {
  const { model, provider } = candidate;
  const names = [model, `${provider.slug}/${candidate.upstream}`];
  for (const { name, body } of rules.levels) {
    const { allowedModels, allowedProviders, requireZdr } = body;
    if (allowedModels && !allowedModels.some((pattern) => names.some((one) => matchesWildcard(pattern, one))))
      return {
        rule: 'allowedModels',
        reason: `The policy of the ${name} does not allow the model "${model}" (allowedModels). ${changers[name]}`,
      };
    if (allowedProviders && !allowedProviders.some((pattern) => matchesWildcard(pattern, provider.slug)))
      return {
        rule: 'allowedProviders',
        reason: `The policy of the ${name} does not allow the provider "${provider.slug}" (allowedProviders). ${changers[name]}`,
      };
    if (requireZdr && !provider.zdr)
      return {
        rule: 'requireZdr',
        reason: `The policy of the ${name} demands zero data retention (requireZdr), which "${provider.slug}" has not agreed to. ${changers[name]}`,
      };
  }
  return undefined;
}
