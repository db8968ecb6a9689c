import type { ContactField } from '../record.ts';

/** What a card of either kind says of a party. */
export type Card = Partial<Record<ContactField, string>> & { url?: string };

/** A telephone number as text or as a URI, "tel:+1.7035555555;ext=102" (RFC 3966). */
function phoneParts(value: string): { number: string; extension: string | null } {
  const text = value.toLowerCase().startsWith('tel:') ? value.slice('tel:'.length) : value;
  const at = text.toLowerCase().indexOf(';ext=');
  if (at < 0) return { number: text.split(';', 1)[0] ?? '', extension: null };
  return { number: text.slice(0, at), extension: text.slice(at + ';ext='.length).split(';', 1)[0] || null };
}

/** The first number of its kind counts. */
export function addPhone(card: Card, value: string, isFax: boolean): void {
  const { number, extension } = phoneParts(value);
  if (number === '' || (isFax ? card.fax : card.phone) !== undefined) return;
  card[isFax ? 'fax' : 'phone'] = number;
  if (extension) card[isFax ? 'faxExt' : 'phoneExt'] = extension;
}
