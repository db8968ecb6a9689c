import type { Entry, Snapshot } from '../catalogue/catalogue.ts';
import { type Prices, ratesFor } from '../catalogue/rates.ts';
import { refusal } from '../problem.ts';
import { needsCredential, ownerOf } from '../providers/presets.ts';
import { isUsable, type Provider } from '../providers/provider.ts';
import { denialOf, type Rules } from '../rules/rules.ts';
import type { Call, Needs, Preferences } from './call.ts';

/** A model of a provider that may serve a request. */
export interface Candidate {
  provider: Provider;
  /** As answers and events name it: `owner/name`. */
  model: string;
  /** As the provider names it. */
  upstream: string;
  entry: Entry | undefined;
  /** Null: unpriced. */
  prices: Prices | null;
}

export interface Skipped {
  provider: string;
  model: string;
  rule: string;
  reason: string;
}

/** How this provider, one of these, names the model; undefined: it does not serve it. */
export function upstreamOf(
  provider: Provider,
  model: string,
  { catalogue, providers }: { catalogue: Snapshot; providers: readonly Provider[] },
): string | undefined {
  const slash = model.indexOf('/');
  const owner = slash < 0 ? '' : model.slice(0, slash);
  const name = model.slice(slash + 1);
  const isOwn = owner === provider.slug;
  const { served } = provider;
  if (served) {
    const found = served.get(model) ?? (isOwn ? served.get(name) : undefined);
    if (found !== undefined) return found;
    // A list of plain names serves the catalogued models of that name, whoever made them. What was given a price alone
    // and bears another provider's name is that one's.
    const entry = isOwn || owner === '' ? undefined : catalogue.get(model);
    if (!entry) return undefined;
    return entry.listed || !providers.some(({ slug }) => slug === owner) ? served.get(name) : undefined;
  }
  if (isOwn) return name;
  if (ownerOf[provider.type] === owner && owner !== '') return name;
  if (provider.dialect.resells && catalogue.get(`${provider.slug}/${model}`)) return model;
  return undefined;
}

/** What it costs there: by the provider's own list, else by the maker's. */
function entryFor(
  provider: Provider,
  model: string,
  upstream: string,
  catalogue: Snapshot,
): Entry | undefined {
  const own = catalogue.get(`${provider.slug}/${upstream}`) ?? catalogue.get(model);
  if (own) return own;
  const slash = model.indexOf('/');
  const owner = slash < 0 ? provider.slug : model.slice(0, slash);
  const family = ownerOf[provider.type];
  return (
    catalogue.like(family ?? owner, upstream.slice(upstream.lastIndexOf('/') + 1)) ??
    catalogue.like(provider.slug, upstream)
  );
}

/** The ids that a name without an owner may mean, among what these providers serve. */
export function resolveName(name: string, providers: readonly Provider[], catalogue: Snapshot): string[] {
  if (name.includes('/')) return [name];
  const found = new Set<string>();
  for (const provider of providers) {
    if (!provider.enabled) continue;
    if (provider.served?.has(name)) found.add(`${provider.slug}/${name}`);
    for (const id of catalogue.named(name))
      if (upstreamOf(provider, id, { catalogue, providers }) !== undefined) found.add(id);
  }
  const catalogued = [...found].filter((id) => catalogue.get(id));
  // A maker's own name stands before the same one of a reseller.
  return catalogued.length === 1 ? catalogued : [...found];
}

export interface Plan {
  candidates: Candidate[];
  skipped: Skipped[];
}

/** Everything that could serve one of the models, in the order of the models, and why the others could not. */
export function findCandidates(
  models: readonly string[],
  options: {
    providers: readonly Provider[];
    catalogue: Snapshot;
    rules: Rules;
    preferences: Preferences;
    needs: Needs;
    kind: Call['kind'];
    /** Whether a budget counts money: then a model without a price cannot be used. */
    hasCostBudget: boolean;
    now: number;
  },
): Plan {
  const { providers, catalogue, now } = options;
  const plan: Plan = { candidates: [], skipped: [] };
  for (const model of models) {
    for (const provider of providers) {
      const upstream = upstreamOf(provider, model, options);
      if (upstream === undefined) continue;
      const entry = entryFor(provider, model, upstream, catalogue);
      const candidate = { provider, model, upstream, entry, prices: entry?.pricesAt(now) ?? null };
      const why = reasonAgainst(candidate, options);
      if (why) plan.skipped.push({ provider: provider.slug, model, ...why });
      else plan.candidates.push(candidate);
    }
  }
  return plan;
}

function reasonAgainst(
  candidate: Candidate,
  options: {
    rules: Rules;
    preferences: Preferences;
    needs: Needs;
    kind: Call['kind'];
    hasCostBudget: boolean;
  },
): Pick<Skipped, 'rule' | 'reason'> | undefined {
  const { provider, model, entry, prices } = candidate;
  const { preferences, needs, rules, kind } = options;
  if (!isUsable(provider)) {
    const lacks = needsCredential(provider.type) && !provider.credentials.some(({ enabled }) => enabled);
    const what = !provider.enabled ? 'is disabled' : lacks ? 'has no enabled credential' : 'has no address';
    return { rule: 'credentials', reason: `The provider "${provider.slug}" ${what}.` };
  }
  const denial = denialOf(rules, candidate);
  if (denial) return { rule: `policy:${denial.rule}`, reason: denial.reason };
  if (preferences.requireZdr && !provider.zdr)
    return {
      rule: 'require_zdr',
      reason: `The request demands zero data retention, which "${provider.slug}" has not agreed to.`,
    };
  if (preferences.restrictToOrder && !preferences.order.includes(provider.slug))
    return {
      rule: 'restrict_to_order',
      reason: `The request is restricted to ${preferences.order.join(', ') || 'no provider'}.`,
    };
  const able = entry?.capabilities;
  const isText = kind === 'chat' || kind === 'responses' || kind === 'messages';
  const isServed = isText || (kind === 'embeddings' && provider.type === 'gemini');
  if (!isServed && (provider.type === 'anthropic' || provider.type === 'gemini'))
    return { rule: 'capability', reason: `The provider "${provider.slug}" has no endpoint for this.` };
  // They answer once; asking several times would be billed several times.
  if (needs.choices && (provider.type === 'anthropic' || provider.type === 'gemini'))
    return {
      rule: 'capability',
      reason: `The provider "${provider.slug}" gives one answer a request; send "n": 1.`,
    };
  const lacking =
    (kind === 'chat' || kind === 'responses' || kind === 'messages') && able?.chat === false
      ? 'chat'
      : needs.tools && able?.tools === false
        ? 'tools'
        : needs.vision && able?.vision === false
          ? 'images'
          : needs.jsonSchema && able?.json_mode === false
            ? 'JSON schemas'
            : undefined;
  if (lacking) return { rule: 'capability', reason: `The model "${model}" does not do ${lacking}.` };
  const context = entry?.contextWindow;
  if (context && needs.contextTokens > context * 2)
    return {
      rule: 'context',
      reason: `The request is longer than the context of "${model}" (${context} tokens).`,
    };
  if (options.hasCostBudget && prices === null)
    return {
      rule: 'unpriced',
      reason: `The price of "${model}" at "${provider.slug}" is not known, and a budget counts costs. An operator can set its price.`,
    };
  return undefined;
}

/** What measured speeds say of a provider's model; undefined where nothing was measured lately. */
export interface Speeds {
  latencyMs(provider: Provider, upstream: string): number | undefined;
  tokensPerSecond(provider: Provider, upstream: string): number | undefined;
}

/** In the order in which they are tried. Candidates of a model that was named earlier stay before later ones. */
export function inOrder(
  candidates: readonly Candidate[],
  models: readonly string[],
  preferences: Preferences,
  speeds: Speeds,
  stickyProvider: string | undefined,
): Candidate[] {
  const named = new Map(preferences.order.map((slug, at) => [slug, at]));
  const score = (candidate: Candidate): number[] => {
    const { provider } = candidate;
    const wanted = named.get(provider.slug) ?? named.size;
    const sticky = preferences.order.length === 0 && provider.id === stickyProvider ? 0 : 1;
    const own = provider.organizationId === '' ? 1 : 0;
    return [
      models.indexOf(candidate.model),
      wanted,
      ...sorted(candidate, preferences, speeds),
      sticky,
      own,
      -provider.priority,
      priceOf(candidate),
    ];
  };
  return candidates
    .map((candidate) => ({ candidate, score: score(candidate) }))
    .sort((a, b) => compare(a.score, b.score))
    .map(({ candidate }) => candidate);
}

function sorted(candidate: Candidate, { sort }: Preferences, speeds: Speeds): number[] {
  const { provider, upstream } = candidate;
  if (sort === 'price') return [priceOf(candidate)];
  if (sort === 'latency') return [speeds.latencyMs(provider, upstream) ?? Number.MAX_SAFE_INTEGER];
  if (sort === 'throughput') return [-(speeds.tokensPerSecond(provider, upstream) ?? 0)];
  return [];
}

function priceOf({ prices }: Pick<Candidate, 'prices'>): number {
  if (!prices) return Number.MAX_SAFE_INTEGER;
  const rates = ratesFor(prices, 0);
  return rates.input * 3 + rates.output + rates.perRequest / 1000;
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [at, value] of a.entries()) {
    const other = b[at] as number;
    if (value !== other) return value - other;
  }
  return 0;
}

/** Why nothing can serve the request, as the caller is told. */
export function nothingServes(
  requested: string,
  models: readonly string[],
  skipped: readonly Skipped[],
  nearest: () => string[],
) {
  const first = skipped[0];
  if (!first) {
    const names = nearest();
    const hint = names.length > 0 ? ` Did you mean ${names.map((name) => `"${name}"`).join(', ')}?` : '';
    return refusal(
      'model_not_found',
      `The model "${requested.slice(0, 200)}" does not exist or no configured provider serves it.${hint}`,
      {
        param: 'model',
      },
    );
  }
  const usable = skipped.filter(({ rule }) => rule !== 'credentials');
  const reasons = [...new Set((usable.length > 0 ? usable : skipped).map(({ reason }) => reason))]
    .slice(0, 5)
    .join(' ');
  const all = (test: (rule: string) => boolean) =>
    usable.length > 0 && usable.every(({ rule }) => test(rule));
  if (all((rule) => rule.startsWith('policy:'))) return refusal('policy_denied', reasons);
  if (all((rule) => rule === 'unpriced')) return refusal('model_unpriced', reasons, { param: 'model' });
  if (all((rule) => rule === 'capability' || rule === 'context'))
    return refusal('invalid_request', reasons, { param: 'model' });
  return refusal(
    'no_provider',
    `No provider can serve "${(models[0] ?? requested).slice(0, 200)}". ${reasons}`,
  );
}
