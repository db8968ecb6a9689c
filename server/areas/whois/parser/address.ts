import type { ContactField } from '../record.ts';
import { countryCode } from './countries.ts';
import { given } from './values.ts';

export type Found = Partial<Record<ContactField, string>>;

/** Takes country, postal code, state and city off the end of the lines; returns the lines before them. */
export function takeEnd(lines: readonly string[], found: Found): string[] {
  const rest = [...lines];
  const last = rest.at(-1) ?? '';
  const country = rest.length > 1 ? countryOf(last) : null;
  if (country) {
    found.country = country;
    rest.pop();
  } else takeTrailingCountry(rest, found);
  takeCity(rest, found, found.country !== undefined);
  return rest;
}

/** "Mountain View, CA  US": a country set apart by two blanks. */
function takeTrailingCountry(rest: string[], found: Found): void {
  const last = rest.at(-1) ?? '';
  const gap = last.lastIndexOf('  ');
  const country = gap > 0 ? countryCode(last.slice(gap)) : null;
  // "Merida, Merida VE": behind a city and a state, two capitals are a country.
  const end = country === null && /, [^\d,]{3,} [A-Z]{2}$/.test(last) ? last.length - 3 : gap;
  const code = country ?? (end === gap ? null : countryCode(last.slice(end)));
  if (code === null) return;
  found.country = code;
  rest[rest.length - 1] = last.slice(0, end).trim();
}

function countryOf(line: string): string | null {
  const code = countryCode(line);
  if (code !== null) return code;
  // "Uzbekistan, 100011", "United States 94043"
  const comma = line.lastIndexOf(',');
  return comma > 0 && isPostalCode(line.slice(comma + 1).trim()) ? countryCode(line.slice(0, comma)) : null;
}

function isPostalCode(text: string): boolean {
  return /^([A-Z]{1,3}[- ])?\d{4,6}(-\d{3,4})?$/i.test(text) || isLetteredPostalCode(text);
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
  const state = stateWithCode(rest.at(-1) ?? '');
  if (state && rest.length > 2 && !/\d/.test(rest.at(-2) ?? '')) {
    Object.assign(found, state, { city: rest.at(-2) });
    rest.length -= 2;
    return;
  }
  const read = cityWithCode(rest.at(-1) ?? '') ?? (afterCountry ? cityWithState(rest) : null);
  if (read) {
    rest.pop();
    if (countryCode(read.city ?? '') === null) Object.assign(found, read);
    else found.postalCode ??= read.postalCode as string;
  } else takeSingleLines(rest, found);
}

/** "Maharashtra,400064" without a blank: what Directi's registrars write below the city. */
function stateWithCode(line: string): Found | null {
  const comma = line.indexOf(',');
  const code = line.slice(comma + 1);
  return comma > 0 && isPostalCode(code) && !/\d/.test(line.slice(0, comma))
    ? { state: line.slice(0, comma), postalCode: code }
    : null;
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
