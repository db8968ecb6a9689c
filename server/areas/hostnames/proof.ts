import type { Resolver } from '#areas/web-reputation/service.ts';
import type { OwnDomain } from './domain.ts';

/** What DNS says of a domain now. */
export interface Found {
  /** Values at the place of the proof. */
  txt: readonly string[];
  /** Where the name leads, from alias to alias; empty where it is none. */
  cname: readonly string[];
  /** No name server answered one of the questions: what is missing may be there all the same. */
  failed: boolean;
}

export type Proof = 'txt' | 'cname' | null;

/** RFC 1034 sets no bound; resolvers give up at about this many. */
const maxAliases = 8;
const maxShown = 10;
const maxTextLength = 255;

export function proofText(token: string): string {
  return `mainstay-verification=${token}`;
}

export async function lookUpDomain(resolver: Pick<Resolver, 'lookUp'>, domain: OwnDomain): Promise<Found> {
  const [txt, cname] = await Promise.all([
    texts(resolver, domain.proofName),
    domain.isWildcard ? { values: [], failed: false } : aliases(resolver, domain.name),
  ]);
  return { txt: txt.values, cname: cname.values, failed: txt.failed || cname.failed };
}

/** `target` is the application's own hostname. */
export function proofIn(found: Found, { token, target }: { token: string; target: string }): Proof {
  if (found.txt.includes(proofText(token))) return 'txt';
  return found.cname.includes(target) ? 'cname' : null;
}

async function texts(resolver: Pick<Resolver, 'lookUp'>, name: string) {
  const reply = await resolver.lookUp(name, 'TXT');
  const values = (reply?.records ?? []).flatMap((record) => (record.type === 'TXT' ? [record.data] : []));
  const joined = values.map((data) =>
    (Array.isArray(data) ? data : [data]).map((part) => part.toString()).join(''),
  );
  return {
    values: joined.filter((text) => text.length <= maxTextLength).slice(0, maxShown),
    failed: reply === undefined,
  };
}

async function aliases(resolver: Pick<Resolver, 'lookUp'>, name: string) {
  const values: string[] = [];
  for (let at = name; values.length < maxAliases; ) {
    const reply = await resolver.lookUp(at, 'CNAME');
    if (!reply) return { values, failed: true };
    const record = reply.records.find((one) => one.type === 'CNAME' && one.name.toLowerCase() === at);
    if (record?.type !== 'CNAME') break;
    at = record.data.toLowerCase().replace(/\.$/, '');
    if (values.includes(at) || at === '') break;
    values.push(at);
  }
  return { values, failed: false };
}
