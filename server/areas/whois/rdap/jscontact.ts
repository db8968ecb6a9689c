import { addPhone, type Card } from './card.ts';
import { type Json, listOf, objectOf, textOf } from './json.ts';

type AddressPart = 'street' | 'city' | 'state' | 'postalCode' | 'country';
const addressParts: ReadonlyMap<string, AddressPart> = new Map(
  Object.entries<AddressPart>({
    name: 'street',
    number: 'street',
    apartment: 'street',
    building: 'street',
    floor: 'street',
    room: 'street',
    block: 'street',
    postOfficeBox: 'street',
    extension: 'street',
    locality: 'city',
    region: 'state',
    postcode: 'postalCode',
    country: 'country',
  }),
);

/** Reads a JSContact card (RFC 9553) as RDAP carries it: the first of each kind counts. */
export function readJscontact(value: unknown): Card {
  const json = objectOf(value);
  const card: Card = {};
  const name = fullName(objectOf(json['name'])) ?? textOf(json['fullName']);
  if (name) card.name = name;
  const organization = textOf(first(json['organizations'])['name']);
  if (organization) card.organization = organization;
  const email = textOf(first(json['emails'])['address']) ?? textOf(first(json['emails'])['email']);
  if (email) card.email = email;
  const link = textOf(first(json['links'])['uri']);
  if (link) card.url = link;
  for (const phone of all(json['phones'])) {
    const number = textOf(phone['number']) ?? textOf(phone['phone']);
    if (number) addPhone(card, number, objectOf(phone['features'])['fax'] === true);
  }
  addAddress(card, first(json['addresses']));
  return card;
}

function all(value: unknown): Json[] {
  return Object.values(objectOf(value)).slice(0, 20).map(objectOf);
}

function first(value: unknown): Json {
  return all(value)[0] ?? {};
}

function fullName(name: Json): string | null {
  const full = textOf(name['full']);
  if (full) return full;
  const parts = listOf(name['components']).map((part) => textOf(objectOf(part)['value']));
  return parts.filter((part) => part !== null).join(' ') || null;
}

function addAddress(card: Card, address: Json): void {
  for (const part of listOf(address['components'])) {
    const { kind, value } = objectOf(part);
    const field = typeof kind === 'string' ? addressParts.get(kind) : undefined;
    const text = textOf(value);
    if (!field || !text) continue;
    card[field] = card[field] === undefined ? text : `${card[field]}, ${text}`;
  }
  const full = textOf(address['full']) ?? textOf(address['fullAddress']);
  if (full) card.street ??= full;
  const code = textOf(address['countryCode']);
  if (code) card.country = code;
}
