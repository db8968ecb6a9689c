import type { DomainName } from '../domain-name.ts';
import { isWord } from './affixes.ts';
import type { Imitation, Seen } from './imitation.ts';
import { distance, isRearranged } from './likeness.ts';
import type { NameTable } from './name-table.ts';
import { neighbourWords } from './neighbour-words.ts';
import type { ProtectedName } from './protected-names.ts';
import { isAbused, isNational, isOpen } from './suffixes.ts';

/** The label of a protected name where it is not its owner's: paypal.xyz, раypal.com, pay-pal.com. */
export function sameLabel(
  table: NameTable,
  { text, isForged }: Seen,
  domain: DomainName,
): Imitation | undefined {
  // An account on somebody's platform is mostly its own name's: microsoft.github.io.
  const isAccount = domain.registrable !== domain.registered;
  for (const name of table.labelled(text)) {
    if (isForged) return { of: name.domain, technique: 'homoglyph' };
    if (!isAccount && name.label.length >= 3 && isWrongSuffix(name, domain.suffix)) {
      return { of: name.domain, technique: 'wrong_tld' };
    }
  }
  if (!text.includes('-')) return undefined;
  for (const name of table.labelled(text.replaceAll('-', ''))) {
    if (name.label.length >= 4 && reaches(name, domain.suffix))
      return { of: name.domain, technique: 'hyphenation' };
  }
  return undefined;
}

/** A label that is nearly that of a protected name: gogle.com, paypa1.com, arnazon.com. */
export function likeLabel(table: NameTable, { text, isForged }: Seen, suffix: string): Imitation | undefined {
  if (text.length < 3 || (!isForged && (isWord(text) || neighbourWords.has(text) || table.words.has(text))))
    return undefined;
  let closest: ProtectedName | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const name of table.near(text)) {
    // The label itself below another suffix was judged before.
    if (name.label === text && !isForged) continue;
    const far = farness(name, text);
    if (far >= least || far > tolerance(name, isForged, text.length)) continue;
    if (!isForged && !reaches(name, suffix)) continue;
    closest = name;
    least = far;
  }
  return closest && { of: closest.domain, technique: isForged || least < 0.9 ? 'homoglyph' : 'typo' };
}

/** Whether who reads a name below this suffix may take it for the protected one. Short names: only where they belong. */
export function reaches(name: ProtectedName, suffix: string): boolean {
  if (name.suffixes.has(suffix)) return true;
  // Of a name known by one country's suffix, a near one under .com is somebody else's: gradelink.com, tradelink.com.au.
  if (name.isMinor && suffix !== 'com') return name.label.length > 6 && isAbused(suffix);
  if (name.isMinor) return name.everywhere;
  // Who knows a name by its country's suffix takes no other short one for it: linea.com, line.me.
  if (suffix === 'com') return name.label.length >= 7 || name.everywhere;
  if (name.label.length < 6) return false;
  return (name.everywhere && isNational(suffix)) || (name.kind === 'distinctive' && isOpen(suffix));
}

/** Whether the label of a protected name below this suffix is somebody else's. */
function isWrongSuffix(name: ProtectedName, suffix: string): boolean {
  // Nobody's word is common where hardly anybody goes for a good reason.
  if (name.isMinor) return name.label.length > 3 && isAbused(suffix);
  if (name.kind === 'common' || isShortAbroad(name)) return isAbused(suffix);
  // In other countries it is mostly its owner's, or the name of somebody there; so it is under .com for a name of one country.
  if (isNational(suffix)) return false;
  if (suffix === 'com' && [...name.suffixes].every(isNational)) return false;
  return (name.kind === 'distinctive' && name.label.length > 3) || isOpen(suffix);
}

/** A word in anybody's use, known by the suffix of one country: line.me. */
function isShortAbroad({ kind, label, suffixes }: ProtectedName): boolean {
  return kind === 'ordinary' && label.length < 6 && !suffixes.has('com');
}

function farness({ label }: ProtectedName, text: string): number {
  const far = distance(label, text);
  return far > 1 && label.length >= 5 && isRearranged(label, text) ? 1 : far;
}

/** How far a spelling may be from the name. Short names have too many neighbours. */
function tolerance({ label, kind, isMinor }: ProtectedName, isForged: boolean, length: number): number {
  if (isForged) return kind === 'common' || label.length === 3 ? 0.6 : Math.max(1, bySize(label));
  if (isMinor && kind !== 'common') return minorTolerance(label.length, kind === 'distinctive');
  // dhll and cnnn are nobody's; aoll and upps may be.
  const isOdd = kind !== 'common' && !/[aeiouy]/.test(label);
  if (label.length === 3) return isOdd && length > 3 ? 0.95 : 0.4;
  if (kind === 'common') return label.length === 4 ? 0.4 : 0.9;
  // A letter more makes fewer names of others than another letter.
  if (label.length === 4) return kind === 'distinctive' || length > 4 ? 1 : 0.95;
  return bySize(label);
}

function minorTolerance(length: number, isDistinctive: boolean): number {
  if (length < 7 || !isDistinctive) return 0.4;
  if (length < 9) return 0.6;
  return length < 11 ? 0.95 : 1.2;
}

function bySize({ length }: string): number {
  if (length < 8) return 1.2;
  return length < 11 ? 1.5 : 2;
}
