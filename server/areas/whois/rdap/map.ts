import { countryCode } from '../parser/countries.ts';
import { parseDate } from '../parser/dates.ts';
import { hostName, webAddress } from '../parser/values.ts';
import { type Contact, contactFields, type WhoisRecord } from '../record.ts';
import type { Card } from './card.ts';
import { readJcard } from './jcard.ts';
import { readJscontact } from './jscontact.ts';
import { type Json, listOf, objectOf, textOf } from './json.ts';

/** RDAP's words for a status that are not EPP's with blanks between (RFC 8056, section 2). */
const statusNames: ReadonlyMap<string, string> = new Map([
  ['active', 'ok'],
  ['associated', 'linked'],
]);

/** Makes the record of an RDAP answer about a domain (RFC 9083), whatever its parts are worth. Never throws. */
export function mapRdap(answer: unknown): WhoisRecord {
  const domain = objectOf(answer);
  const entities = listOf(domain['entities']).map(objectOf);
  const contact = (role: string) => contactOf(entities.find((entity) => hasRole(entity, role)));
  return {
    domain: {
      name:
        (textOf(domain['ldhName']) ?? textOf(domain['unicodeName']))?.toLowerCase().replace(/\.$/, '') ??
        null,
      id: textOf(domain['handle']),
      status: [
        ...new Set(
          listOf(domain['status'])
            .map(statusOf)
            .filter((status) => status !== null),
        ),
      ],
      created: eventOf(domain, 'registration'),
      updated: eventOf(domain, 'last changed'),
      expires: eventOf(domain, 'expiration') ?? eventOf(domain, 'registrar expiration'),
    },
    registrar: registrarOf(entities.find((entity) => hasRole(entity, 'registrar'))),
    registrant: contact('registrant'),
    admin: contact('administrative'),
    tech: contact('technical'),
    billing: contact('billing'),
    nameservers: [
      ...new Set(
        listOf(domain['nameservers'])
          .map(nameserverOf)
          .filter((name) => name !== null),
      ),
    ],
    dnssec: dnssecOf(objectOf(domain['secureDNS'])),
  };
}

function statusOf(value: unknown): string | null {
  const text = textOf(value);
  if (text === null) return null;
  return (
    statusNames.get(text.toLowerCase()) ??
    text.replace(/ (\p{L})/gu, (_, letter: string) => letter.toUpperCase())
  );
}

function eventOf(domain: Json, action: string): string | null {
  const event = listOf(domain['events'])
    .map(objectOf)
    .find((candidate) => textOf(candidate['eventAction'])?.toLowerCase() === action);
  const date = event === undefined ? null : textOf(event['eventDate']);
  return date === null ? null : parseDate(date);
}

function nameserverOf(value: unknown): string | null {
  const server = objectOf(value);
  return hostName(textOf(server['ldhName']) ?? textOf(server['unicodeName']) ?? '');
}

function dnssecOf(secure: Json): string | null {
  if (secure['delegationSigned'] === true) return 'signedDelegation';
  return secure['delegationSigned'] === false ? 'unsigned' : null;
}

function hasRole(entity: Json, role: string): boolean {
  return listOf(entity['roles']).some((given) => textOf(given)?.toLowerCase() === role);
}

/** The card in either format; the names of JSContact's member have changed between drafts. */
function cardOf(entity: Json): Card {
  const card = entity['jscontact_card'] ?? entity['jscard'];
  return card === undefined ? readJcard(entity['vcardArray']) : readJscontact(card);
}

function contactOf(entity: Json | undefined): Contact {
  const card = entity === undefined ? {} : cardOf(entity);
  const country = card.country ? countryCode(card.country) : null;
  return Object.fromEntries(
    contactFields.map((field) => [field, field === 'country' ? country : (card[field] ?? null)]),
  ) as unknown as Contact;
}

function registrarOf(entity: Json | undefined): WhoisRecord['registrar'] {
  if (entity === undefined)
    return { name: null, url: null, whoisServer: null, email: null, phone: null, ianaId: null };
  const card = cardOf(entity);
  const inner = listOf(entity['entities']).map(objectOf);
  const abuse = inner.find((party) => hasRole(party, 'abuse'));
  const reports = abuse === undefined ? {} : cardOf(abuse);
  return {
    // Registries without cards leave the handle, which is often the company's name.
    name: card.name ?? card.organization ?? textOf(entity['handle']),
    url: webAddress(card.url ?? '') ?? aboutLink(entity),
    whoisServer: hostName(textOf(entity['port43']) ?? ''),
    email: reports.email ?? card.email ?? null,
    phone: reports.phone ?? card.phone ?? null,
    ianaId: ianaIdOf(entity),
  };
}

function aboutLink(entity: Json): string | null {
  const link = listOf(entity['links'])
    .map(objectOf)
    .find((candidate) => candidate['rel'] === 'about');
  return webAddress(textOf(link?.['href']) ?? '');
}

function ianaIdOf(entity: Json): string | null {
  const id = listOf(entity['publicIds'])
    .map(objectOf)
    .find((candidate) => textOf(candidate['type'])?.toLowerCase().startsWith('iana'));
  const identifier = id?.['identifier'];
  return typeof identifier === 'number' ? String(identifier) : textOf(identifier);
}
