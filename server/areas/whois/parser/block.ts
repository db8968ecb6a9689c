import { type Found, takeEnd } from './address.ts';
import { given, isPhone, isWithheld, takeEmail } from './values.ts';

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
  if (lines.length === 0) return found;
  const rest: string[] = [];
  let person = -1;
  for (const line of lines) {
    const mentioned = found.email;
    takeLine(line, found, rest);
    if (found.email !== mentioned && rest.length > 0 && line.startsWith(rest.at(-1) ?? ''))
      person = rest.length - 1;
  }
  if (rest.length === 0) return found;
  // "NOT DISCLOSED! Visit www.example.org for web based whois": no address follows.
  // "Private Whois Foundation" with an address is a holder like any other.
  if (isWithheld(rest[0] ?? '') && !rest.slice(1).some(hasDigit))
    return { ...found, name: rest[0] as string };
  // "Doe Ltd", "Jane Doe  jane@example.org": a person's address stands beside the person, and the body before.
  if (person > 0 && person < 3) {
    found.organization = rest.slice(0, person).join(', ');
    found.name = rest[person] as string;
    rest.splice(0, person + 1);
  }
  const street = takeEnd(rest, found);
  if (found.name === undefined) takeNames(street, found, order);
  if (street.length > 0) found.street = street.join(', ');
  return found;
}

/** Takes addresses and numbers off a line; what remains of it is kept in order. */
function takeLine(line: string, found: Found, rest: string[]): void {
  const { email, rest: without } = takeEmail(line);
  if (email !== null) found.email ??= email;
  const text = given(withoutLabel(without, found));
  if (text === null || text.startsWith('http://') || text.startsWith('https://') || text.startsWith('www.'))
    return;
  if (takePhones(text, found)) return;
  if (text.startsWith('(') && text.endsWith(')')) return;
  if (rest.length === 0 && isHandleLine(text)) return;
  // "Hidden upon user request" below a name hides the address.
  if (rest.length > 0 && isWithheld(text) && !hasDigit(text)) return;
  rest.push(text.endsWith(',') ? text.slice(0, -1) : text);
}

function hasDigit(text: string): boolean {
  return /\d/.test(text);
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

const organizationWords = [
  ...[
    'inc',
    'llc',
    'ltd',
    'limited',
    'gmbh',
    'corp',
    'corporation',
    'company',
    'co',
    'ag',
    'sa',
    's.a',
    'bv',
    'b.v',
    'nv',
  ],
  ...[
    'plc',
    'llp',
    'srl',
    's.r.o',
    'spa',
    'sarl',
    'sas',
    'oy',
    'ab',
    'as',
    'a/s',
    'aps',
    'kft',
    'ooo',
    'pty',
    'ltda',
  ],
  ...[
    'university',
    'college',
    'institute',
    'school',
    'foundation',
    'association',
    'ministry',
    'department',
    'group',
  ],
  ...[
    'society',
    'council',
    'agency',
    'bank',
    'markmonitor',
    'center',
    'centre',
    'technologies',
    'registry',
    'network',
  ],
];
const organizationWord = new Set(organizationWords);

/** Whether the text has a word that only names of companies and bodies have. */
export function isOrganization(text: string): boolean {
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
  return /\b(street|road|avenue|ave|blvd|lane|way|plaza|square|house|box|building|park|drive|suite|floor)\b/i.test(
    text,
  );
}
