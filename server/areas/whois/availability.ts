import type { Resolver } from 'node:dns/promises';
import type { AnswerCache } from './cache.ts';
import { type Lookup, NoSource } from './lookup.ts';
import type { RootDomain } from './name.ts';
import { UpstreamError } from './sources/upstream-error.ts';

type Availability = 'registered' | 'free' | 'reserved' | 'unknown';

export interface AvailabilityAnswer {
  domain: string;
  status: Availability;
  /** What knew it; null when nothing did. */
  source: 'cache' | 'dns' | 'rdap' | 'whois' | null;
}

/** Asks the DNS whether a name has name servers of its own. Only a yes is sure. */
export type IsDelegated = (domain: string) => Promise<boolean>;

export function delegationBy(resolver: Pick<Resolver, 'resolveNs'>): IsDelegated {
  return async (domain) => {
    try {
      return (await resolver.resolveNs(domain)).length > 0;
    } catch {
      return false;
    }
  };
}

/** The cheapest sure answer: what is kept, then the DNS for a yes, then the registry. */
export async function availability(
  name: RootDomain,
  sources: { cache: AnswerCache; lookup: Lookup; isDelegated: IsDelegated },
): Promise<AvailabilityAnswer> {
  const { cache, lookup, isDelegated } = sources;
  const domain = name.ascii;
  const kept = await cache.kept(domain);
  if (kept) return { domain, status: kept.outcome, source: 'cache' };
  if (await isDelegated(domain)) return { domain, status: 'registered', source: 'dns' };
  try {
    const row = await cache.get(domain, () => lookup.find(name));
    return { domain, status: row.outcome, source: row.source };
  } catch (error) {
    if (error instanceof UpstreamError || error instanceof NoSource)
      return { domain, status: 'unknown', source: null };
    throw error;
  }
}
