import type { ContactField } from '../record.ts';
import { countryCode } from './countries.ts';
import { given, isPhone, isWithheld, takeEmail } from './values.ts';

type Found = Partial<Record<ContactField, string>>;

/**
 * What the first line is, and the second where it is no street yet: a name and an organization, the reverse, or an
 * organization alone.
 */
export type BlockOrder = 'name' | 'organization' | 'organization alone';

/**
 * Reads the lines of a contact that carry no labels: name, organization, street, city, country, telephone, in the
 * order in which people write them. What cannot be told apart stays in the street.
 */
export function readBlock(lines: readonly string[], order: BlockOrder): Found {
  const found: Found = {};
  const rest: string[] = [];
  for (const line of lines) takeLine(line, found, rest);
  if (rest.length === 0) return found;
  // "NOT DISCLOSED! Visit www.example.org for web based whois": no address follows.
  if (isWithheld(rest[0] ?? '')) return { ...found, name: rest[0] as string };
  const street = takeEnd(rest, found);
  takeNames(street, found, order);
  if (street.length > 0) found.street = street.join(', ');
  return found;
}

/** Takes addresses and numbers off a line; what remains of it is kept in order. */
function takeLine(line: string, found: Found, rest: string[]): void {
  const { email, rest: without } = takeEmail(line);
  if (email !== null) found.email ??= email;
  const text = given(withoutLabel(without, found));
  if (text === null || text.startsWith('http://') || text.startsWith('https://') || text.startsWith('www.')) return;
  if (takePhones(text, found)) return;
  if (text.startsWith('(') && text.endsWith(')')) return;
  if (rest.length === 0 && isHandleLine(text)) return;
  rest.push(text.endsWith(',') ? text.slice(0, -1) : text);
}

/** "GOO001748-MARKM": some registries put the contact's handle before its name. */
function isHandleLine(text: string): boolean {
  return /^[A-Z0-9]+-[A-Z0-9]+$/.test(text) && /\d/.test(text);
}

const phoneWords = ['telephone', 'phone', 'tel', 'voice', 'mobile'];
const faxWords = ['facsimile', 'telefax', 'fax'];

/** "Tel. +998 71 238", "fax:+357.22767543", "Phone: ..." where no label was seen. */
function withoutLabel(text: string, found: Found): string {
  const lower = text.toLowerCase();
  for (const word of [...faxWords, ...phoneWords]) {
    if (!lower.startsWith(word)) continue;
    const number = text.slice(word.length).replace(/^[\s.:]+/, '');
    if (number === text.slice(word.length) || (number !== '' && !/[+(\d]/.test(number[0] ?? ''))) continue;
    if (number !== '') found[faxWords.includes(word) ? 'fax' : 'phone'] ??= number;
    return '';
  }
  return text;
}

/** "+1.6502530000 (FAX) +16506181499", "+44 207 261 8723 (Phone)", a bare number: the second one is the fax. */
function takePhones(text: string, found: Found): boolean {
  const lower = text.toLowerCase();
  const fax = lower.indexOf('(fax)');
  if (fax >= 0) {
    const before = text.slice(0, fax).trim();
    const after = text.slice(fax + '(fax)'.length).trim();
    if (after === '' && isPhone(before)) found.fax ??= before;
    else {
      if (before !== '') found.phone ??= before;
      if (after !== '') found.fax ??= after;
    }
    return true;
  }
  // "202-463-7200 fax: 202-318-4003", "+1.4805058800      Fax -- +1.4805058844"
  const beside = lower.indexOf(' fax');
  if (beside > 0 && isPhone(text.slice(0, beside).trim())) {
    found.phone ??= text.slice(0, beside).trim();
    const second = text.slice(beside + ' fax'.length).replace(/^[\s.:-]+/, '');
    if (isPhone(second)) found.fax ??= second;
    return true;
  }
  const number = lower.endsWith('(phone)') ? text.slice(0, -'(phone)'.length).trim() : text;
  if (!isPhone(number)) return number === '+';
  if (found.phone === undefined) found.phone = number;
  else found.fax ??= number;
  return true;
}

/** Takes country, postal code, state and city off the end of the lines; returns the lines before them. */
function takeEnd(lines: readonly string[], found: Found): string[] {
  const rest = [...lines];
  const last = rest.at(-1) ?? '';
  const country = rest.length > 1 ? countryOf(last) : null;
  if (country) {
    found.country = country;
    rest.pop();
  }
  takeCity(rest, found, country !== null);
  return rest;
}

function countryOf(line: string): string | null {
  const code = countryCode(line);
  if (code !== null) return code;
  // "Uzbekistan, 100011", "United States 94043"
  const comma = line.lastIndexOf(',');
  return comma > 0 && isPostalCode(line.slice(comma + 1).trim()) ? countryCode(line.slice(0, comma)) : null;
}

export function isPostalCode(text: string): boolean {
  return /^([A-Z]{1,3}-)?\d{4,6}(-\d{3,4})?$/i.test(text) || isLetteredPostalCode(text);
}

/** Britain, Canada, the Netherlands: "SW1A 2AA", "C1A 6W5", "1016 DT". */
function isLetteredPostalCode(text: string): boolean {
  return (
    /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/i.test(text) ||
    /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/i.test(text) ||
    /^\d{4} ?[A-Z]{2}$/.test(text)
  );
}

function takeCity(rest: string[], found: Found, afterCountry: boolean): void {
  if (rest.length < 2) return;
  const read = cityWithCode(rest.at(-1) ?? '') ?? (afterCountry ? cityWithState(rest) : null);
  if (read) {
    rest.pop();
    if (countryCode(read.city ?? '') === null) Object.assign(found, read);
    else found.postalCode ??= read.postalCode as string;
  } else takeSingleLines(rest, found);
}

/** "Pompano Beach", "FL", "33069" or "Milano", "20121", "MI": each on a line of its own. */
function takeSingleLines(rest: string[], found: Found): void {
  const isState = (text: string) => /^[A-Z]{2,3}$/.test(text);
  let line = rest.at(-1) ?? '';
  if (!isPostalCode(line) && !(isState(line) && isPostalCode(rest.at(-2) ?? ''))) return;
  while (rest.length > 2 && (isState(line) || isPostalCode(line))) {
    found[isState(line) ? 'state' : 'postalCode'] ??= line;
    rest.pop();
    line = rest.at(-1) ?? '';
  }
  if (rest.length > 2 && !/\d/.test(line)) found.city = rest.pop() as string;
}

/** "San Francisco, CA 94108", "US-94043 Mountain View, CA", "83709  Boise", "Denver CO 80220", "Detroit, 48226". */
function cityWithCode(line: string): Found | null {
  const words = line.split(/[\s,]+/).filter(Boolean);
  const [first = ''] = words;
  const last = words.at(-1) ?? '';
  if (words.length < 2) return null;
  if (isPostalCode(last)) return cityBefore(words.slice(0, -1), line, last);
  const lastTwo = words.slice(-2).join(' ');
  if (words.length > 2 && isLetteredPostalCode(lastTwo)) return cityBefore(words.slice(0, -2), line, lastTwo);
  if (isPostalCode(first)) {
    const { city, state } = splitState(line.slice(line.indexOf(first) + first.length).trim());
    return { postalCode: first, city, ...(state ? { state } : {}) };
  }
  return null;
}

function cityBefore(words: readonly string[], line: string, code: string): Found | null {
  const end = line.lastIndexOf(code.split(' ')[0] ?? code);
  const { city, state } = splitState(line.slice(0, end).replace(/[\s,]+$/, ''));
  if (words.length === 0 || city === '') return null;
  return { postalCode: code, city, ...(state ? { state } : {}) };
}

/** "Mountain View, CA", "Boise ID": a city and a state, which is what follows the comma or has two capitals. */
function splitState(text: string): { city: string; state: string | null } {
  const comma = text.lastIndexOf(',');
  if (comma > 0) return { city: text.slice(0, comma).trim(), state: given(text.slice(comma + 1)) };
  const blank = text.lastIndexOf(' ');
  const tail = text.slice(blank + 1);
  if (blank > 0 && /^[A-Z]{2}$/.test(tail)) return { city: text.slice(0, blank).trim(), state: tail };
  return { city: text.trim(), state: null };
}

function cityWithState(rest: readonly string[]): Found | null {
  const line = rest.at(-1) ?? '';
  if (/\d/.test(line) || rest.length < 3) return null;
  const { city, state } = splitState(line);
  return state ? { city, state } : { city };
}

const organizationWords = [
  ...['inc', 'llc', 'ltd', 'limited', 'gmbh', 'corp', 'corporation', 'company', 'co', 'ag', 'sa', 's.a', 'bv', 'b.v', 'nv'],
  ...['plc', 'llp', 'srl', 's.r.o', 'spa', 'sarl', 'sas', 'oy', 'ab', 'as', 'a/s', 'aps', 'kft', 'ooo', 'pty', 'ltda'],
  ...['university', 'college', 'institute', 'school', 'foundation', 'association', 'ministry', 'department', 'group'],
  ...['society', 'council', 'agency', 'bank', 'markmonitor', 'center', 'centre', 'technologies', 'registry', 'network'],
];
const organizationWord = new Set(organizationWords);

function isOrganization(text: string): boolean {
  return text
    .toLowerCase()
    .split(/[\s,()]+/)
    .some((word) => organizationWord.has(word.endsWith('.') ? word.slice(0, -1) : word));
}

/** Takes one or two names off the front: a street begins with the first line that has a digit. */
function takeNames(street: string[], found: Found, order: BlockOrder): void {
  const first = street.shift();
  if (first === undefined) return;
  if (order === 'organization alone') {
    found.organization = first;
    return;
  }
  const second = street[0];
  if (second === undefined || /\d/.test(second) || isStreet(second)) {
    found[order] = first;
    return;
  }
  street.shift();
  const swapped = isOrganization(first) && !isOrganization(second);
  const organizationFirst = order === 'organization' || swapped;
  found.name = organizationFirst ? second : first;
  found.organization = organizationFirst ? first : second;
}

function isStreet(text: string): boolean {
  return /\b(street|road|avenue|ave|blvd|lane|way|plaza|square|house|box|building|park|drive|suite|floor)\b/i.test(text);
}
