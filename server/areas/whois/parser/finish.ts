import {
  type Contact,
  type ContactField,
  type ContactRole,
  contactFields,
  type WhoisRecord,
} from '../record.ts';
import { takeEnd } from './address.ts';
import { type BlockOrder, readBlock } from './block.ts';
import { countryCode } from './countries.ts';
import { type DateOrder, parseDate } from './dates.ts';
import type { Draft, PartyDraft } from './draft.ts';
import { given, hostName, takeEmail, webAddress } from './values.ts';

export interface FinishOptions {
  dateOrder?: DateOrder;
  /** Whether an unlabelled registrant begins with its name (the default) or its organization. */
  registrantBlock?: BlockOrder;
}

/** Makes the record of what was read: references followed, values brought to one form. */
export function finish(draft: Draft, options: FinishOptions = {}): WhoisRecord {
  const { dateOrder, registrantBlock = 'name' } = options;
  const contact = (role: ContactRole) =>
    contactOf(draft, role, role === 'registrant' ? registrantBlock : 'name');
  const date = (text: string | null) => (text === null ? null : parseDate(text, dateOrder));
  return {
    domain: {
      name: domainName(draft.name),
      id: draft.id,
      status: statuses(draft.status.length > 0 ? draft.status : draft.registration),
      created: date(draft.created),
      updated: date(draft.updated),
      expires: date(draft.expires),
    },
    registrar: registrarOf(draft),
    registrant: contact('registrant'),
    admin: contact('admin'),
    tech: contact('tech'),
    billing: contact('billing'),
    nameservers: [...new Set(draft.nameservers)],
    dnssec: draft.dnssec,
  };
}

/** "GOOGLE.TK is Active", "register.bg (register.bg)": the name is the first word. */
function domainName(text: string | null): string | null {
  if (text === null) return null;
  const end = text.search(/[\s(]/);
  const word = end < 0 ? text : text.slice(0, end);
  return hostName(word) ?? given(word.toLowerCase());
}

/**
 * Each status once, without link and explanation: "ok https://icann.org/epp#ok", "ok (paid)", "ok - Normal state". Several
 * may stand in one line: "ok, paid", "pendingTransfer / autoRenewPeriod".
 */
function statuses(values: readonly string[]): string[] {
  const found = new Set<string>();
  for (const value of values) {
    for (const part of value.split(separatorOf(value))) {
      const status = bareStatus(part.trim());
      if (status !== '') found.add(status);
    }
  }
  return [...found];
}

function separatorOf(value: string): string {
  if (value.includes(' / ')) return ' / ';
  if (value.includes(';')) return ';';
  return value.includes(', ') || !value.includes(' ') ? ',' : '\n';
}

const statusEnds = [' http', '(', ' - ', '['];

function bareStatus(text: string): string {
  const first = text.search(/[ ([]/);
  if (first < 0) return text;
  if (text.startsWith('http', first + 1)) return text.slice(0, first);
  let end = text.length;
  for (const mark of statusEnds) {
    const at = text.indexOf(mark, first);
    if (at > 0 && at < end) end = at;
  }
  const bare = text.slice(0, end).trim();
  return bare.endsWith('-') ? bare.slice(0, -1).trim() : bare;
}

const ofContact: ReadonlySet<string> = new Set(contactFields);

function isContactField(field: string): field is ContactField {
  return ofContact.has(field);
}

const nobody: Contact = Object.freeze({
  name: null,
  organization: null,
  street: null,
  city: null,
  state: null,
  postalCode: null,
  country: null,
  ...{ phone: null, phoneExt: null, fax: null, faxExt: null, email: null },
});

function contactOf(draft: Draft, role: ContactRole, order: BlockOrder): Contact {
  const party = draft.parties[role];
  const described = party?.named ? draft.objects.get(party.named) : undefined;
  const source = described ?? party;
  const hasDescription = role === 'registrant' && draft.description.length > 0;
  if (!source && !hasDescription) return nobody;
  const found: Partial<Record<ContactField, string>> = {};
  if (source) fill(found, source, described !== undefined, order);
  if (hasDescription) fillDescription(found, draft.description);
  const {
    name = null,
    organization = null,
    street = null,
    city = null,
    state = null,
    postalCode = null,
  } = found;
  const { phone = null, phoneExt = null, fax = null, faxExt = null, email = null } = found;
  const country = found.country ? countryCode(found.country) : null;
  return {
    name,
    organization,
    street,
    city,
    state,
    postalCode,
    country,
    phone,
    phoneExt,
    fax,
    faxExt,
    email,
  };
}

function fill(
  found: Partial<Record<ContactField, string>>,
  party: PartyDraft,
  described: boolean,
  order: BlockOrder,
): void {
  for (const field in party.fields) if (isContactField(field)) found[field] = party.fields[field] as string;
  const { name, email, block } = named(party, described);
  if (found.email) found.email = takeEmail(found.email).email ?? found.email;
  else if (email) found.email = email;
  if (block.length > 0) {
    const read = readBlock(block, order);
    for (const field in read) found[field as ContactField] ??= read[field as ContactField] as string;
  }
  const first = party.fields.given;
  const last = party.fields.family;
  if (first ?? last) found.name ??= first && last ? `${first} ${last}` : ((first ?? last) as string);
  if (name !== null) {
    if (found.name === undefined) found.name = name;
    else if (found.name !== name) found.organization ??= name;
  }
  const isBlock = block.length > 0;
  if (found.name) found.name = withoutHandle(found.name, isBlock);
  if (found.organization) found.organization = withoutHandle(found.organization, isBlock);
  if (party.isAddressBlock) {
    // Of a whole block the first line would be a name.
    const street = takeEnd([found.name ?? '', ...party.address], found)
      .slice(1)
      .join(', ');
    if (street !== '') found.street ??= street;
  } else fillAddress(found, party.address);
}

/** "Universidad X  (example.ve-dom)", "GOOGLE LLC (SGNIC-ORG1624232)": the registry's handle behind a name. */
function withoutHandle(name: string, isBlock: boolean): string {
  const open = name.endsWith(')') ? name.lastIndexOf('(') : name.endsWith(']') ? name.lastIndexOf('[') : -1;
  if (open <= 0) return name;
  const inside = name.slice(open + 1, -1);
  const isHandle =
    /^[A-Z\d]+-[A-Z\d]*\d[A-Z\d]*$/.test(inside) ||
    /^[\w.-]+-(?:dom|adm|tec|bil)\w*$/i.test(inside) ||
    // "Doe, Jane  (JD123)": where no label says what is what.
    (isBlock && /^[A-Z]{2,4}\d{1,8}$/.test(inside));
  return isHandle ? name.slice(0, open).trim() : name;
}

/** What stood beside the party's label: a name, a first line of its block, a handle, or a handle with an address. */
function named(
  party: PartyDraft,
  described: boolean,
): { name: string | null; email: string | null; block: string[] } {
  const text = party.named;
  if (text === null || described) return { name: null, email: null, block: party.block };
  const { email, rest } = takeEmail(text);
  const name = email === null ? text : given(rest.replace(/[()]/g, ''));
  if (name === null || isHandle(name)) return { name: null, email, block: party.block };
  if (party.block.length > 0) return { name: null, email, block: [name, ...party.block] };
  return { name, email, block: [] };
}

/** An identifier of the registry rather than a name: no blank in it, but a digit. */
function isHandle(text: string): boolean {
  return /^[\w.:/-]+$/.test(text) && /\d/.test(text) && text.length > 3 && hostName(text) === null;
}

function fillAddress(found: Partial<Record<ContactField, string>>, address: readonly string[]): void {
  if (address.length === 0) return;
  const [only = ''] = address;
  if (address.length === 1) {
    found.street ??= only.endsWith(',') ? only.slice(0, -1) : only;
    return;
  }
  const lines = address.map((line) => (line.endsWith(',') ? line.slice(0, -1) : line));
  found.street ??= lines.join(', ');
  const last = lines.at(-1) ?? '';
  if (lines.length > 1 && countryCode(last)) found.country ??= last;
}

/** RPSL's `descr`: the holder's name, then the address. */
function fillDescription(found: Partial<Record<ContactField, string>>, lines: readonly string[]): void {
  const [name, ...address] = lines;
  if (name === undefined || found.name || found.organization) return;
  found.name = name;
  fillAddress(found, address);
}

function registrarOf(draft: Draft): WhoisRecord['registrar'] {
  const party = draft.parties.registrar ?? draft.parties.through;
  const abuse = draft.parties.abuse;
  if (!party) return { name: null, url: null, whoisServer: null, email: null, phone: null, ianaId: null };
  const described = party.named ? draft.objects.get(party.named) : undefined;
  const field = (name: 'name' | 'organization' | 'email' | 'phone' | 'link' | 'whoisServer' | 'ianaId') =>
    party.abuse[name] ?? abuse?.fields[name] ?? party.fields[name] ?? described?.fields[name] ?? null;
  const block = readBlock(party.block, 'name');
  const abuseBlock = abuse ? readBlock(abuse.block, 'name') : {};
  const own = party.named ?? party.block[0] ?? null;
  const { name, url, ianaId } = registrarName(own, field('name'), field('organization'));
  const link = field('link');
  const server = field('whoisServer');
  const email = field('email') ?? abuseBlock.email ?? block.email ?? null;
  return {
    name,
    url: (link === null ? null : webAddress(link)) ?? url ?? linkIn(party.block),
    whoisServer: server === null ? null : hostName(server),
    email: email === null ? null : (takeEmail(email).email ?? email),
    phone: field('phone') ?? abuseBlock.phone ?? block.phone ?? null,
    ianaId: field('ianaId') ?? ianaId,
  };
}

function linkIn(block: readonly string[]): string | null {
  const line = block.find((text) => text.startsWith('http') || text.startsWith('www.'));
  return line === undefined ? null : webAddress(line);
}

function registrarName(
  own: string | null,
  name: string | null,
  organization: string | null,
): { name: string | null; url: string | null; ianaId: string | null } {
  // Where all three are given, the organization is the company, the name a login, the label's value a handle.
  const best = [organization, name, own].find((text) => text !== null && !isProse(text)) ?? null;
  if (best === null) return { name: null, url: null, ianaId: null };
  const bracket = best.endsWith(')') ? best.lastIndexOf('(') : -1;
  if (bracket <= 0) return { name: best, url: null, ianaId: null };
  const inside = best.slice(bracket + 1, -1);
  const before = best.slice(0, bracket).trim();
  if (inside.startsWith('http')) return { name: before, url: webAddress(inside), ianaId: null };
  // "MarkMonitor Inc. (R151-LRMS)", "dotASIA R4-ASIA (800046)"
  if (/^\d{1,7}$/.test(inside)) return { name: before, url: null, ianaId: inside };
  return { name: /^R\d+-[A-Z]+$/.test(inside) ? before : best, url: null, ianaId: null };
}

const proseWords = new Set(
  'is are was be been has have had not please visit contact for from by this that these your you we our it which via see will can may the to'.split(
    ' ',
  ),
);

/** A sentence in place of a name: "This domain is managed by the registry; please visit ...". */
function isProse(text: string): boolean {
  const words = text.toLowerCase().split(/[\s,;.]+/);
  return words.length > 5 && new Set(words).intersection(proseWords).size > 2;
}
