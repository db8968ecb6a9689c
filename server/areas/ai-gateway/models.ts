import { isoTime } from '#core/clock.ts';
import type { Caller } from './caller.ts';
import { factsOf } from './catalogue/capabilities.ts';
import type { Catalogue, Entry, Snapshot } from './catalogue/catalogue.ts';
import { ratesFor } from './catalogue/rates.ts';
import { isUsable, type Provider } from './providers/provider.ts';
import type { Providers } from './providers/service.ts';
import { upstreamOf } from './relay/candidates.ts';
import { denialOf, type RuleBook } from './rules/rules.ts';

export interface ListedModel {
  id: string;
  object: 'model';
  created: number;
  owned_by: string;
  name: string;
  provider: string;
  capabilities: { chat: boolean; streaming: boolean; tools: boolean; vision: boolean; json_mode: boolean };
  modalities: { input: string[]; output: string[] };
  contextWindow: number | null;
  maxOutputTokens: number | null;
  description?: string;
  prices: { input: number; output: number; cachedInput: number | null; asOf: string } | null;
  routingProviders: string[];
  routingProviderDetails: { id: string; name: string; supportsZdr: boolean }[];
  zdrProviders: string[];
}

/** The models that something usable serves and that no policy keeps from the caller, by id; aliases first. */
export async function listModels(
  deps: { providers: Providers; catalogue: Catalogue; ruleBook: RuleBook },
  caller: Caller,
  now: number,
): Promise<ListedModel[]> {
  const usable = (await deps.providers.of(caller.organizationId)).filter(isUsable);
  const catalogue = await deps.catalogue.now();
  const rules = await deps.ruleBook.rules(caller);
  const ids = new Set<string>();
  for (const provider of usable) for (const id of idsOf(provider, catalogue, usable)) ids.add(id);
  const models: ListedModel[] = [];
  for (const id of [...ids].sort()) {
    const serving = usable.filter((provider) => {
      const upstream = upstreamOf(provider, id, { catalogue, providers: usable });
      return upstream !== undefined && !denialOf(rules, { model: id, upstream, provider });
    });
    if (serving.length > 0) models.push(toModel(id, serving, catalogue.get(id), now));
  }
  const byId = new Map(models.map((model) => [model.id, model]));
  const aliases: ListedModel[] = [];
  for (const [alias, targets] of await deps.ruleBook.aliases(caller.organizationId)) {
    const target = targets.map((id) => byId.get(id)).find((model) => model !== undefined);
    if (target && !byId.has(alias)) aliases.push({ ...target, id: alias, name: alias });
  }
  return [...aliases, ...models];
}

function idsOf(provider: Provider, catalogue: Snapshot, providers: readonly Provider[]): string[] {
  if (provider.served)
    return [...provider.served.keys()].map((id) => (id.includes('/') ? id : `${provider.slug}/${id}`));
  return catalogue.ids().filter((id) => upstreamOf(provider, id, { catalogue, providers }) !== undefined);
}

function toModel(
  id: string,
  serving: readonly Provider[],
  entry: Entry | undefined,
  now: number,
): ListedModel {
  const owner = id.slice(0, id.indexOf('/'));
  const facts = entry ?? factsOf(id);
  const { capabilities } = facts;
  const prices = entry?.pricesAt(now);
  const rates = prices ? ratesFor(prices, 0) : null;
  const slugs = [...new Set(serving.map(({ slug }) => slug))];
  return {
    id,
    object: 'model',
    created: 0,
    owned_by: owner,
    name: entry?.name ?? id.slice(id.indexOf('/') + 1),
    provider: owner,
    capabilities: {
      chat: capabilities.chat ?? true,
      streaming: capabilities.streaming ?? true,
      tools: capabilities.tools ?? true,
      vision: capabilities.vision ?? false,
      json_mode: capabilities.json_mode ?? true,
    },
    modalities: facts.modalities,
    contextWindow: facts.contextWindow,
    maxOutputTokens: facts.maxOutputTokens,
    ...(entry?.description ? { description: entry.description } : {}),
    prices:
      rates && prices
        ? {
            input: rates.input,
            output: rates.output,
            cachedInput: rates.cachedInput,
            asOf: isoTime(prices.asOf),
          }
        : null,
    routingProviders: slugs,
    routingProviderDetails: slugs.map((slug) => {
      const provider = serving.find((one) => one.slug === slug) as Provider;
      return { id: slug, name: provider.name, supportsZdr: provider.zdr };
    }),
    zdrProviders: [...new Set(serving.filter(({ zdr }) => zdr).map(({ slug }) => slug))],
  };
}
