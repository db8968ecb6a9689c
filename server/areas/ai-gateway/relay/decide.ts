import type { Catalogue } from '../catalogue/catalogue.ts';
import { GatewayProblem, refusal } from '../problem.ts';
import type { Providers } from '../providers/service.ts';
import type { RuleBook, Rules } from '../rules/rules.ts';
import type { BudgetRow } from '../rules/store.ts';
import type { Call } from './call.ts';
import {
  type Candidate,
  findCandidates,
  inOrder,
  nothingServes,
  type Plan,
  resolveName,
} from './candidates.ts';
import type { Health } from './health.ts';
import { nearestNames } from './nearest.ts';

export interface DecideDeps {
  providers: Providers;
  catalogue: Catalogue;
  ruleBook: RuleBook;
  health: Health;
  /** The provider that a conversation was with before. */
  sticky: { get(key: string): string | undefined; set(key: string, providerId: string): unknown };
}

/** Everything that was decided before a provider is asked. */
export interface Decided {
  plan: Plan;
  ordered: Candidate[];
  models: readonly string[];
  rules: Rules;
  budgets: readonly BudgetRow[];
}

const maxCandidates = 8;

/** Which candidates there are, in which order, and why others are none. Throws when the name means several models. */
export async function decide(
  deps: DecideDeps,
  call: Pick<Call, 'caller' | 'model' | 'preferences' | 'needs' | 'kind' | 'stickyKey' | 'startedAt'>,
): Promise<Decided> {
  const { providers: all, catalogue: book, ruleBook, health, sticky } = deps;
  const { caller, preferences } = call;
  const rules = await ruleBook.rules(caller);
  const budgets = await ruleBook.budgets(caller);
  const providers = await all.of(caller.organizationId);
  const catalogue = await book.now();
  const alias = await ruleBook.alias(caller.organizationId, call.model);
  const models = [
    ...new Set((alias ?? [call.model]).flatMap((name) => resolveName(name, providers, catalogue))),
  ];
  if (!alias && models.length > 1)
    throw refusal(
      'model_not_found',
      `"${call.model}" names several models: ${models.slice(0, 10).join(', ')}. Send one of these.`,
      { param: 'model' },
    );
  const hasCostBudget = budgets.some(
    (row) => row.max_cost_micros !== null || row.max_request_cost_micros !== null,
  );
  const plan = findCandidates(models, {
    ...call,
    providers,
    catalogue,
    rules,
    hasCostBudget,
    now: call.startedAt,
  });
  const key = plan.candidates.length > 1 ? call.stickyKey() : null;
  const stuck = key === null ? undefined : sticky.get(key);
  let ordered = inOrder(plan.candidates, models, preferences, health, stuck);
  if (!preferences.allowFallbacks || !rules.allowFallbacks) ordered = ordered.slice(0, 1);
  return { plan, ordered: ordered.slice(0, maxCandidates), models, rules, budgets };
}

/** Throws the refusal of a request that nothing can serve. */
export async function demandCandidates(
  { providers, catalogue, ruleBook }: DecideDeps,
  call: Pick<Call, 'caller' | 'model'>,
  { ordered, models, plan }: Decided,
): Promise<void> {
  if (ordered.length > 0) return;
  const snapshot = await catalogue.now();
  const visible = await providers.of(call.caller.organizationId);
  const aliases = await ruleBook.aliases(call.caller.organizationId);
  const isCatalogued = models.some((model) => snapshot.get(model) !== undefined);
  if (plan.skipped.length === 0 && isCatalogued)
    throw refusal(
      'no_provider',
      `No configured provider serves "${call.model}". An operator or an admin of the organization can add one.`,
    );
  throw nothingServes(call.model, models, plan.skipped, () =>
    nearestNames(call.model, visible, snapshot, aliases),
  );
}

const idFields = ['file_id', 'file_ids', 'vector_store_ids', 'item_reference', 'container_id'];

/**
 * Ids that a provider made are known to whoever holds the credential that made them. Behind a credential that all
 * organizations share they would open what others made, so they are for an organization's own providers alone.
 */
export function demandOwnIds({ body }: Call, candidates: Candidate[]): Candidate[] {
  const named = ['previous_response_id', 'conversation', 'prompt', 'container'].filter((name) => {
    const value = body.get(name);
    return value !== undefined && value !== null && (name !== 'prompt' || typeof value === 'object');
  });
  const field = named[0] ?? idFields.find((name) => body.mentions(name));
  if (field === undefined) return candidates;
  const own = candidates.filter(({ provider }) => provider.organizationId !== '');
  if (own.length > 0) return own;
  throw new GatewayProblem(
    'not_found',
    `"${field}" names something that a provider keeps. Providers that all organizations share keep nothing for anybody: send the content itself, or add a provider with a key of your organization.`,
    { code: 'not_found', param: field },
  );
}
