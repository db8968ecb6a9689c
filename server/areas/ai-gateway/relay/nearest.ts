import type { Snapshot } from '../catalogue/catalogue.ts';
import type { Provider } from '../providers/provider.ts';
import { upstreamOf } from './candidates.ts';

/** Names that look like the one that was asked for, among those that something here serves. At most three. */
export function nearestNames(
  name: string,
  providers: readonly Provider[],
  catalogue: Snapshot,
  aliases: ReadonlyMap<string, readonly string[]>,
): string[] {
  const wanted = trigrams(name.slice(0, 200));
  const known = new Set(aliases.keys());
  for (const provider of providers)
    for (const id of provider.served?.keys() ?? [])
      known.add(id.includes('/') ? id : `${provider.slug}/${id}`);
  for (const id of catalogue.ids())
    if (
      providers.some(
        (provider) => provider.enabled && upstreamOf(provider, id, { catalogue, providers }) !== undefined,
      )
    )
      known.add(id);
  return [...known]
    .map((id) => ({ id, score: likeness(wanted, trigrams(id)) }))
    .filter(({ score }) => score > 0.25)
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, 3)
    .map(({ id }) => id);
}

function trigrams(text: string): Set<string> {
  const padded = `  ${text.toLowerCase()} `;
  const found = new Set<string>();
  for (let at = 0; at + 3 <= padded.length; at++) found.add(padded.slice(at, at + 3));
  return found;
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const part of a) if (b.has(part)) shared++;
  return shared / (a.size + b.size - shared);
}
