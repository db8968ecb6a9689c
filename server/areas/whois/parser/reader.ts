import { isOrganization } from './block.ts';
import { parseDate } from './dates.ts';
import { type Draft, isEmptyParty, newDraft, newParty, type PartyDraft, partyOf } from './draft.ts';
import { announcedOrder, beginsDate, type Meaning, meaningOf, partyNamed } from './labels.ts';
import type { Line } from './lines.ts';
import { ends, type Section } from './section.ts';
import { type Survey, survey } from './survey.ts';
import { addHostNames, given, hostName } from './values.ts';
import type { DomainField, PartyField } from './vocabulary.ts';

const registrarFields: ReadonlySet<PartyField> = new Set(['link', 'email', 'whoisServer', 'ianaId']);
/** "Record will expire on 28-Feb-2009 ..." */
const MAX_PHRASE = 90;
const dateFields: ReadonlySet<DomainField> = new Set(['created', 'updated', 'expires']);

/**
 * Reads any answer made of labels and values: one pass over the lines, keeping track of the section they stand in.
 * What is one field of one registry is decided by the families and by finish.ts.
 */
export function read(lines: readonly Line[], domain: string): Draft {
  const reader = new Reader(lines, domain);
  for (let index = 0; index < lines.length; index++) reader.line(lines[index] as Line, index);
  return reader.draft;
}

class Reader {
  readonly draft = newDraft();
  readonly #lines: readonly Line[];
  #section: Section | null = null;
  /** Inside a record of another domain: some servers answer with everything that resembles the question. */
  #skipping = false;
  #recordLabel: string | null = null;
  /** Of the line before. */
  #label: string | null = null;
  #ofDomain = true;
  #expiryIsRenewal = false;
  readonly #survey: Survey;

  constructor(lines: readonly Line[], domain: string) {
    this.#lines = lines;
    this.#survey = survey(lines, domain);
  }

  line(line: Line, index: number): void {
    if (this.#section && ends(this.#section, line)) this.#section = null;
    const handle = this.#survey.handles.get(index);
    if (line.startsParagraph) this.#ofDomain = this.#survey.ofDomain.has(index);
    if (handle !== undefined) this.#openObject(handle, line, this.#lines[index + 1]);
    const { meaning } = line;
    if (meaning?.kind === 'domain' && meaning.field === 'name' && line.label !== null) this.#record(line);
    if (this.#skipping || this.#section?.kind === 'foreign') return;
    if (line.label === null) this.#unlabelled(line, meaning, index);
    else if (meaning === null) this.#unknown(line);
    else this.#labelled(line, meaning, index);
    this.#label = line.label;
  }

  #open(
    kind: Section['kind'],
    line: Line,
    options: { party?: PartyDraft; alone?: boolean; used?: boolean } = {},
  ): void {
    const { party = null, alone = false, used = false } = options;
    this.#section = { kind, party, indent: line.indent, nested: null, alone, used, last: null };
  }

  #openObject(handle: string, line: Line, next?: Line): void {
    const party = newParty();
    // The first of two objects with one handle counts; the second is read and dropped.
    if (!this.draft.objects.has(handle)) this.draft.objects.set(handle, party);
    this.#open('object', line, { party, used: true });
    // "ABC123" alone, and what is said of it indented below.
    const isHeader = line.label === null || line.value === '';
    if (this.#section) this.#section.nested = isHeader && next !== undefined && next.indent > line.indent;
  }

  /** A record begins: of the domain that was asked for, or of another. */
  #record(line: Line): void {
    const name = hostName(line.value.split(/[\s(]/, 1)[0] ?? '');
    // "Internationalized Domain Name" below "Domain Name" is the same record.
    if (name) this.#recordLabel ??= line.label;
    if (name && line.label === this.#recordLabel) this.#skipping = name !== this.#survey.wanted;
    if (name && this.#section?.kind === 'foreign') this.#section = null;
  }

  #unlabelled(line: Line, meaning: Meaning | null, index: number): void {
    if (meaning && this.#isHeader(line, meaning)) {
      this.#labelled({ ...line, value: '' }, meaning, index);
      return;
    }
    const section = this.#section;
    if (section === null) {
      this.#phrase(line);
      return;
    }
    if (section.kind === 'party') {
      const party = section.party as PartyDraft;
      if (this.#phrase(line, { inParty: true })) return;
      if (section.last === 'street' && !line.startsParagraph) {
        party.isAddressBlock ||= party.address.length === 0;
        party.address.push(line.text);
      } else if (section.last === null || section.party?.block.length) party.block.push(line.text);
    } else if (section.kind === 'object' || section.kind === 'foreign' || section.kind === 'closing') {
      this.#phrase(line);
    } else if (section.kind === 'nameserver' && line.startsParagraph) {
      if (this.#hosts(line.text)) return;
      this.#section = null;
      this.#phrase(line);
    } else if (!this.#phrase(line)) {
      this.#domainValue(section.kind, line.text);
    }
  }

  /** A line that consists of a known label: "Registrant", "Name servers in listed order". */
  #isHeader(line: Line, meaning: Meaning): boolean {
    const { kind, alone, nested, indent } = this.#section ?? {};
    // "Domain Registrar" in the middle of an indented contact is somebody's title.
    if (kind === 'party' && alone && nested && line.indent > (indent ?? 0)) return false;
    if (meaning.kind === 'party' || meaning.kind === 'closing') return true;
    if (meaning.kind === 'domain') return meaning.field === 'nameserver' || meaning.field === 'dnssec';
    return (
      meaning.kind === 'field' &&
      meaning.field === 'street' &&
      this.#section?.kind === 'party' &&
      line.text.length < 20
    );
  }

  /** A label that nobody knows, or a line that only looks as if it had one: "ns1.example.com : 192.0.2.1". */
  #unknown(line: Line): void {
    const section = this.#section;
    if (section?.kind === 'nameserver')
      this.#hosts(hostName(line.value.split(' ', 1)[0] ?? '') ? line.value : line.text);
    else if (section?.kind !== 'party') return;
    // "Maslak Mah. No:128" in an address without labels.
    else if (section.alone && !section.used) section.party?.block.push(line.text);
    else section.last = 'unknown';
  }

  /** Adds the hosts of a line that begins with one; false for any other line. */
  #hosts(text: string): boolean {
    const begins = hostName(text.split(/[\s(]/, 1)[0] ?? '') !== null;
    if (begins) addHostNames(text, this.draft.nameservers);
    return begins;
  }

  #labelled(line: Line, meaning: Meaning, index: number): void {
    switch (meaning.kind) {
      case 'domain':
        this.#domain(line, meaning, index);
        break;
      case 'party':
        this.#party(line, meaning, index);
        break;
      case 'party field':
        this.#partyField(line, meaning);
        break;
      case 'field':
        this.#field(line, meaning.field, meaning.ofContact);
        break;
      case 'contact':
        this.#contact(line);
        break;
      default:
        this.#open(meaning.kind, line);
    }
  }

  #domain(line: Line, meaning: Extract<Meaning, { kind: 'domain' }>, index: number): void {
    const section = this.#section;
    const ofParty = section?.party && (section.kind === 'object' || section.used || section.alone);
    if (ofParty && meaning.partyField) {
      this.#field(line, meaning.partyField);
      return;
    }
    if (meaning.shared && (ofParty || (this.draft.objects.size > 0 && !this.#ofDomain))) return;
    // "NOT AVAILABLE" is a status, and says that the name is taken.
    const value = meaning.field === 'status' && line.value !== '-' ? line.value || null : given(line.value);
    // "Flags: 257": of a key.
    if (
      meaning.field === 'status' &&
      value !== null &&
      /^\d+\b/.test(value) &&
      /flags?$/i.test(line.label ?? '')
    )
      return;
    const order =
      value !== null && dateFields.has(meaning.field) ? announcedOrder(line.label ?? '') : undefined;
    if (value !== null) {
      if (meaning.field === 'expires') this.#preferExpiry(line.label ?? '');
      this.#domainValue(meaning.field, order ? (parseDate(value, order) ?? value) : value);
    }
    if (section?.kind === 'party') this.#section = null;
    const next = this.#lines[index + 1];
    const lists = meaning.field === 'nameserver' || meaning.field === 'status';
    if (next && next.label === null && (value === null || (lists && next.indent > line.indent))) {
      this.#open(meaning.field, line);
    } else if (value === null && meaning.field === 'nameserver') {
      this.#open('nameserver', line);
    } else if (value === null && meaning.field === 'name') {
      this.#open('name', line);
    } else if (meaning.field === 'nameserver') {
      this.#section = null;
    }
  }

  /** Where an answer gives both, "Renew date" is when it was renewed last. */
  #preferExpiry(label: string): void {
    const isRenewal = /renew/i.test(label);
    if (this.#expiryIsRenewal && !isRenewal) this.draft.expires = null;
    if (this.draft.expires === null) this.#expiryIsRenewal = isRenewal;
  }

  #domainValue(field: DomainField, value: string): void {
    const { draft } = this;
    if (field === 'nameserver') addHostNames(value, draft.nameservers);
    else if (field === 'status' || field === 'registration') draft[field].push(value);
    else if (field === 'description') draft.description.push(value);
    else if (field !== 'name' || !value.startsWith('(')) draft[field] ??= value;
  }

  #party(line: Line, meaning: Extract<Meaning, { kind: 'party' }>, index: number): void {
    if (this.#section?.kind === 'object') return;
    const { party, reference, also } = meaning;
    const value = given(line.value);
    if (reference && line.value !== '') {
      if (value !== null) partyOf(this.draft, party).named ??= value;
      if (!this.#section?.alone) this.#section = null;
      return;
    }
    let draft = partyOf(this.draft, party);
    // A second section of the same party is a further contact: the first one counts.
    const again = !isEmptyParty(draft) && (value === null || (draft.named !== null && draft.named !== value));
    if (again && party !== 'registrar') draft = newParty();
    for (const other of also) this.draft.parties[other] ??= draft;
    if (value !== null) this.#partyValue(draft, value);
    const next = this.#lines[index + 1];
    if (value === null || !next || next.startsParagraph === false)
      this.#open('party', line, { party: draft, alone: value === null });
  }

  /** "Registrar Contact Information: Email: a@example.org     Hotline: +852 1234": a value with labels of its own. */
  #partyValue(draft: PartyDraft, value: string): void {
    const colon = value.indexOf(':');
    const inner = colon > 0 && colon < 30 ? meaningOf(value.slice(0, colon)) : null;
    if (inner?.kind !== 'field') {
      draft.named ??= value;
      return;
    }
    for (const part of value.split('   ')) {
      const at = part.indexOf(':');
      const meaning = at > 0 ? meaningOf(part.slice(0, at)) : null;
      const text = given(part.slice(at + 1));
      if (meaning?.kind === 'field' && text !== null) draft.fields[meaning.field] ??= text;
    }
  }

  #partyField(line: Line, { party, field, abuse }: Extract<Meaning, { kind: 'party field' }>): void {
    const section = this.#section;
    // Below "admin-c:" the line "owner-name:" is of the administrator.
    if (section?.kind === 'party' && section.alone && section.nested && party === 'registrant') {
      this.#field(line, field);
      return;
    }
    const draft = partyOf(this.draft, party);
    const value = given(line.value);
    // Most answers name the party in every line: the section continues.
    if (section?.party !== draft || section.alone || section.indent !== line.indent) {
      this.#open('party', line, { party: draft });
    }
    const follows = this.#follows(line);
    if (this.#section) this.#section.last = field;
    if (value === null) return;
    if (field === 'street') draft.address.push(value);
    else if (field === 'name' && follows) addName(draft, value, line);
    else if (abuse) draft.abuse[field] = value;
    else draft.fields[field] ??= value;
  }

  #field(line: Line, field: PartyField, ofContact = false): void {
    if (ofContact && !this.#section?.alone && this.#section?.kind !== 'object') this.#section = null;
    const section = this.#section;
    if (section?.kind === 'name') {
      if (field === 'name') this.draft.name ??= given(line.value);
      return;
    }
    if (section?.kind === 'nameserver' && field === 'name') {
      this.#hosts(line.value);
      return;
    }
    const value = given(line.value);
    const party = section?.party ?? this.#defaultParty(field);
    const follows = this.#follows(line);
    if (section?.party) {
      // A link or address beside a registrar's name opens no section of its own.
      if (section.alone || !registrarFields.has(field)) section.used = true;
      section.last = field;
    }
    if (field === 'kind' && value !== null && this.#named(value, line)) return;
    if (value === null || party === null) return;
    if (field === 'street') party.address.push(value);
    else if (field === 'name' && follows) addName(party, value, line);
    else party.fields[field] ??= value;
  }

  /** Whether the line continues where the one before it ended: "Name1: Jane", "Name2: Doe". */
  #follows({ label }: Line): boolean {
    return label !== null && this.#label?.replace(/\d$/, '') === label.replace(/\d$/, '');
  }

  /** Fields that stand outside every section are the registrant's; links and servers are the registrar's. */
  #defaultParty(field: PartyField): PartyDraft | null {
    if (field === 'link' || field === 'whoisServer' || field === 'ianaId')
      return partyOf(this.draft, 'registrar');
    if (field === 'handle' || field === 'kind') return null;
    return partyOf(this.draft, 'registrant');
  }

  #contact(line: Line): void {
    const value = given(line.value);
    if (value === null) {
      this.#open('closing', line);
      return;
    }
    if (this.#named(value, line)) return;
    const section = this.#section;
    if (section?.kind === 'object') {
      if (section.party) section.party.fields.name ??= value;
      return;
    }
    this.#openObject(value, line);
  }

  /** Opens the section of a party that is named by a value; false when the value names none. */
  #named(value: string, line: Line): boolean {
    const party = partyNamed(value);
    if (!party) return false;
    const known = partyOf(this.draft, party);
    this.#open('party', line, { party: isEmptyParty(known) ? known : newParty(), alone: true });
    if (this.#section) this.#section.nested = false;
    return true;
  }

  /** A sentence such as "Record created on 2000-08-29" or "Registered on 02nd August 2000". */
  #phrase(line: Line, { inParty = false } = {}): boolean {
    if (!inParty && line.text.startsWith('Domain ')) this.#domainPhrase(line.text.slice('Domain '.length));
    const blank = line.text.indexOf(' ');
    if (blank < 0 || line.text.length > MAX_PHRASE || !beginsDate(line.text.slice(0, blank))) return false;
    const words = line.text.split(' ', 8);
    for (let count = Math.min(5, words.length - 1); count > 0; count--) {
      const meaning = meaningOf(words.slice(0, count).join(' '));
      if (meaning?.kind !== 'domain' || !dateFields.has(meaning.field)) continue;
      if (inParty && meaning.shared) return false;
      // "Last updated on 2014.02.19 00:41:43 MSK" at the end of an answer speaks of the database.
      if (meaning.field === 'updated' && words[0]?.toLowerCase() === 'last') return false;
      const rest = line.text.slice(words.slice(0, count).join(' ').length).trim();
      if (!/\d/.test(rest)) return false;
      this.#domainValue(meaning.field, rest);
      return true;
    }
    return false;
  }

  /** "Domain EXAMPLE.KG (ACTIVE)". */
  #domainPhrase(rest: string): void {
    const [word = '', status] = rest.split(' ', 2);
    const name = hostName(word);
    if (!name || (status !== undefined && !status.startsWith('('))) return;
    this.draft.name ??= name;
    if (status !== undefined) this.draft.status.push(status.slice(1, -1));
  }
}

/** A second line of names: "Name1: Jane", "Name2: Doe" are one name; of two others one is the organization. */
function addName(party: PartyDraft, value: string, { label }: Line): void {
  const { fields } = party;
  const first = fields.name;
  if (first === undefined || first === value) fields.name = value;
  else if (/\d$/.test(label ?? '')) fields.name = `${first} ${value}`;
  else if (isOrganization(first) && !isOrganization(value)) {
    fields.organization ??= first;
    fields.name = value;
  } else fields.organization ??= value;
}
