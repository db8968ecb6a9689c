import { addPhone, type Card } from './card.ts';
import { type Json, listOf, objectOf, textOf, textsOf } from './json.ts';

/** Reads a jCard (RFC 7095), the contact format of RDAP since RFC 7483: `["vcard", [[name, parameters, type, value], ...]]`. */
export function readJcard(value: unknown): Card {
  const card: Card = {};
  const [, properties] = listOf(value);
  let kind: string | null = null;
  for (const property of listOf(properties)) {
    const [name, parameters, , first] = listOf(property);
    const found = textsOf(first);
    if (name === 'adr') addAddress(card, objectOf(parameters), first);
    else if (found === null) continue;
    else if (name === 'fn') card.name ??= found;
    else if (name === 'kind') kind = found;
    else if (name === 'org') card.organization ??= found;
    else if (name === 'email') card.email ??= found;
    else if (name === 'url') card.url ??= found;
    else if (name === 'tel') addPhone(card, found, isFax(objectOf(parameters)['type']));
  }
  if (kind === 'org' && card.name) card.organization ??= card.name;
  return card;
}

function isFax(type: unknown): boolean {
  return type === 'fax' || listOf(type).includes('fax');
}

/** Seven parts: post box, extension, street, locality, region, code, country (RFC 6350, 6.3.1), or a label for all. */
function addAddress(card: Card, parameters: Json, value: unknown): void {
  if (card.street || card.city || card.country) return;
  const [box, extension, street, city, state, postalCode, country] = listOf(value).map(textsOf);
  const parts: Card = {};
  const lines = [box, extension, street].filter((line) => line != null);
  if (lines.length > 0) parts.street = lines.join(', ');
  else if (typeof parameters['label'] === 'string') parts.street = oneLine(parameters['label']);
  if (city) parts.city = city;
  if (state) parts.state = state;
  if (postalCode) parts.postalCode = postalCode;
  const code = textOf(parameters['cc']) ?? country;
  if (code) parts.country = code;
  Object.assign(card, parts);
}

/** An address in one piece: its lines joined as those of a structured street are. */
function oneLine(label: string): string {
  const lines = label.slice(0, 2_000).split('\n').map(textOf);
  return lines.filter((line) => line !== null).join(', ');
}
