import { toUnicode } from '../domain-name.ts';
import { asSeen } from './look-alikes.ts';

export const techniques = [
  'wrong_tld',
  'homoglyph',
  'typo',
  'hyphenation',
  'combosquatting',
  'subdomain',
] as const;
type Technique = (typeof techniques)[number];

export interface Imitation {
  /** The domain that is imitated. */
  readonly of: string;
  readonly technique: Technique;
}

/** A label as it looks, in ASCII, and whether letters from elsewhere make it look so. */
export interface Seen {
  readonly text: string;
  readonly isForged: boolean;
}

export function see(label: string): Seen {
  const unicode = toUnicode(label);
  return unicode === label ? { text: label, isForged: false } : { text: asSeen(unicode), isForged: true };
}
