import { isDomain, readDomain } from '../domain-name.ts';
import { SquatDetector } from './detector.ts';
import { readProtectedNames } from './protected-names.ts';

/** Tells labels that imitate one of these names. The suffixes stand for any: a label has none of its own. */
export function imitationDetector(names: readonly string[]): (label: string) => string | undefined {
  const text = names.map((name) => `${name}.com`).join('\n');
  const detector = new SquatDetector(readProtectedNames({ name: 'names of the platform', text }));
  return (label) => {
    const domain = readDomain(`${label}.net`);
    if (!isDomain(domain)) return undefined;
    return detector.examine(domain)?.of.replace(/\.com$/, '');
  };
}
