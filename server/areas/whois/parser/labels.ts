import type { DateOrder } from './dates.ts';
import { withoutAccents } from './values.ts';
import {
  closingLabels,
  type DomainField,
  domainLabels,
  fieldLabels,
  type Party,
  type PartyField,
  partyLabels,
  sharedLabels,
} from './vocabulary.ts';

/** What a label says about its value. */
export type Meaning =
  | {
      readonly kind: 'domain';
      readonly field: DomainField;
      /** Inside a party's section it speaks of the party, not of the domain. */
      readonly shared: boolean;
      /** What it then means: "State" is a status, or a part of an address. */
      readonly partyField: PartyField | null;
    }
  /** A field of a named party: "Registrant Street", "owner-zip". */
  | {
      readonly kind: 'party field';
      readonly party: Party;
      readonly field: PartyField;
      readonly abuse: boolean;
    }
  /** A party alone: a header, a name, or a reference ("admin-c") to an object elsewhere in the answer. */
  | {
      readonly kind: 'party';
      readonly party: Party;
      readonly reference: boolean;
      /** "Administrative Contact, Technical Contact": one section for several. */
      readonly also: readonly Party[];
    }
  /** A field of whichever party the line stands under; `ofContact` of a contact, not of the registrar. */
  | { readonly kind: 'field'; readonly field: PartyField; readonly ofContact: boolean }
  /** "contact: administrative", "contact: AB123": its value tells. */
  | { readonly kind: 'contact' }
  /** Another object of the answer, such as a host: nothing of this record until the next paragraph. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'closing' };

function table<V>(entries: readonly (readonly [string, V])[]): Map<string, V> {
  return new Map(
    entries.flatMap(([words, value]) =>
      words.split('|').map((word) => [withoutAccents(word), value] as const),
    ),
  );
}

function invert<K extends string>(record: Record<K, string>): [string, K][] {
  return (Object.entries(record) as [K, string][]).map(([key, words]) => [words, key]);
}

const shared = new Set(sharedLabels.split('|'));
const domainFields = table(invert(domainLabels));
const parties = table(invert(partyLabels));
const fields = table(invert(fieldLabels));
const closing = new Set(closingLabels.split('|'));
export const longestLabel = 60;

/** "Registered Date [DD-MM-YYYY]": how a date is written says nothing about what it is of. */
const years = new Set(['yyyy', 'yy', 'ccyy', 'aaaa', 'jjjj', 'rrrr', 'yyyymmdd', 'ddmmyyyy', 'mmddyyyy']);
const dateForms = new Set([
  ...years,
  'dd',
  'mm',
  'mmm',
  'mon',
  'month',
  'day',
  'hh',
  'mi',
  'ss',
  'jj',
  'tt',
  'gg',
  'utc',
  'gmt',
]);

/** The order of day and month that a label announces: "Creation Date (mm/dd/yyyy)". */
export function announcedOrder(label: string): DateOrder | undefined {
  const lower = label.toLowerCase();
  if (/\b(?:dd?|jj|tt|gg)\W?m{2,3}(?:\W?[yajr]{2,4})?\b/.test(lower)) return 'day-month';
  return /\bmm\W?dd\b/.test(lower) || lower.includes('mmddyy') ? 'month-day' : undefined;
}

/** Lower-case words with single blanks: no accents, marks, brackets, numbering or final number. */
function normalLabel(label: string): string {
  const open = label.indexOf('(');
  const close = open < 0 ? -1 : label.indexOf(')', open);
  const bare = close < 0 ? label : `${label.slice(0, open)} ${label.slice(close + 1)}`;
  const words = withoutAccents(bare.toLowerCase())
    .replace(/['’]s\b/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ')
    .filter((word) => word !== 'internationalized' && word !== 'international');
  if (words.some((word) => years.has(word))) {
    const meant = words.filter((word) => !dateForms.has(word));
    if (meant.length > 0) words.splice(0, words.length, ...meant);
  }
  if (words.length > 1 && /^\d+[a-z]?$|^[a-z]$/.test(words[0] ?? '') && !/^[co]$/.test(words[0] ?? ''))
    words.shift();
  const last = words.at(-1) ?? '';
  if (words.length > 1 && /^\d+$/.test(last)) words.pop();
  else words[words.length - 1] = last.replace(/\d{1,2}$/, '');
  return words.join(' ').trim();
}

const remembered = new Map<string, Meaning | null>();
const MAX_REMEMBERED = 20_000;

/** The meaning of a label as it stands in the answer; null for one that no registry is known to use. */
export function meaningOf(label: string): Meaning | null {
  const known = remembered.get(label);
  if (known !== undefined) return known;
  const bracket = label.indexOf('(');
  if ((bracket < 0 ? label.length : bracket) > longestLabel) return null;
  const meaning = understand(normalLabel(label)) ?? understandSeveral(label);
  // Labels repeat from answer to answer; a stranger's text must not make this grow.
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  if (label.length <= 2 * longestLabel) remembered.set(label, meaning);
  return meaning;
}

function understand(words: string): Meaning | null {
  if (words.length === 0 || words.length > longestLabel) return null;
  const domainField = domainFields.get(words);
  if (domainField) {
    return {
      kind: 'domain',
      field: domainField,
      shared: shared.has(words),
      partyField: fields.get(words) ?? null,
    };
  }
  if (words === 'contact') return { kind: 'contact' };
  if (words === 'server name') return { kind: 'foreign' };
  const party = parties.get(words);
  if (party) return { kind: 'party', party, reference: words.endsWith(' c'), also: [] };
  const field = fields.get(words);
  if (field) return { kind: 'field', field, ofContact: words.startsWith('contact ') };
  if (closing.has(words)) return { kind: 'closing' };
  if (words.startsWith('registry ')) return understand(words.slice('registry '.length));
  return partyField(words) ?? understandHeader(words);
}

const headerEndings = [' information', ' info', ' details', ' data'];

/** "REGISTRANT CONTACT INFO" is "registrant contact". */
function understandHeader(words: string): Meaning | null {
  const ending = headerEndings.find((text) => words.endsWith(text));
  return ending ? understand(words.slice(0, -ending.length)) : null;
}

/** "Administrative Contact, Technical Contact". */
function understandSeveral(label: string): Meaning | null {
  const names = label.split(/[,/&]| and /).map(normalLabel);
  if (names.length < 2 || names.length > 4) return null;
  const [first, ...rest] = names.map((name) => parties.get(name));
  if (!first || rest.some((party) => party === undefined)) return null;
  return { kind: 'party', party: first, reference: false, also: rest.filter((party) => party !== undefined) };
}

/** Words that name a party only in front of a field: "Organisation Address" is the registrant's. */
const prefixes = new Map<string, Party>([
  ...parties,
  ['organisation', 'registrant'],
  ['organization', 'registrant'],
]);
function partyField(words: string): Meaning | null {
  // The longest party first: "registrant contact" before "registrant".
  for (let end = words.lastIndexOf(' '); end > 0; end = words.lastIndexOf(' ', end - 1)) {
    const party = prefixes.get(words.slice(0, end));
    if (party === undefined) continue;
    let rest = words.slice(end + 1);
    const abuse = rest.startsWith('abuse ');
    if (abuse) rest = rest.slice('abuse '.length);
    const field = fields.get(rest) ?? (rest.startsWith('contact ') ? fields.get(rest.slice(8)) : undefined);
    if (field) return { kind: 'party field', party, field, abuse };
  }
  return words.startsWith('contact ') ? contactField(words.slice('contact '.length)) : null;
}

/** "Contact Name", where the answer speaks of one contact only. */
function contactField(words: string): Meaning | null {
  const field = fields.get(words);
  return field ? { kind: 'field', field, ofContact: true } : null;
}

const dateBeginnings = new Set(
  [domainLabels.created, domainLabels.updated, domainLabels.expires]
    .flatMap((words) => words.split('|'))
    .map((words) => words.split(' ', 1)[0]),
);

/** Whether a label of a date may begin with the word. */
export function beginsDate(word: string): boolean {
  return dateBeginnings.has(word.toLowerCase());
}

const roleWords = table<Party>([
  ['registrant|owner|holder|titular|r', 'registrant'],
  ['administrative|admin|administrator|administration|a', 'admin'],
  ['technical|tech|t', 'tech'],
  ['billing|financial|accounting|b', 'billing'],
]);

/** The party that a value names: "contact: administrative", "Contact Type: owner". */
export function partyNamed(value: string): Party | null {
  return roleWords.get(value.trim().toLowerCase()) ?? null;
}
