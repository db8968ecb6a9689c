import { withoutAccents } from './values.ts';

/** How a registry writes dates of numbers alone, where the numbers do not tell: 02/03/2020. */
export type DateOrder = 'day-month' | 'month-day';

const months = [
  'jan january enero janvier januar janeiro gennaio ene ocak',
  'feb february febrero fevrier februar fevereiro febbraio',
  'mar march marzo mars marz marco',
  'apr april abril avril aprile abr',
  'may mayo mai maio maggio',
  'jun june junio juin juni junho giugno',
  'jul july julio juillet juli julho luglio',
  'aug august agosto aout ago',
  'sep sept september septiembre septembre setembro settembre set',
  'oct october octubre octobre oktober outubro ottobre okt',
  'nov november noviembre novembre novembro',
  'dec december diciembre decembre dezember dezembro dicembre dic dez',
];
const monthByName = new Map(months.flatMap((names, index) => names.split(' ').map((name) => [name, index])));

/** Minutes east of UTC. Abbreviations that registries write; an unknown one counts as UTC. */
const zones = new Map(
  Object.entries({
    ...{ est: -5, edt: -4, cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7, brt: -3, clt: -4, clst: -3 },
    ...{ bst: 1, wat: 1, cet: 1, cest: 2, cat: 2, sast: 2, eet: 2, eest: 3, eat: 3, msk: 3, msd: 4, ict: 7 },
    ...{ hkt: 8, sgt: 8, myt: 8, jst: 9, kst: 9, aest: 10, nzst: 12, nzdt: 13 },
  }).map(([name, hours]) => [name, hours * 60]),
);

interface Token {
  readonly text: string;
  /** What stood before it. */
  readonly gap: string;
  readonly number: boolean;
}

const MAX_LENGTH = 64;
const LAST_YEAR = Date.UTC(9999, 11, 31);
/** What most answers write: nothing to convert, and no day that a month may lack. */
const isoDate =
  /^(?:19[7-9]|[2-9]\d\d)\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])(?:[T ](?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,9})?Z?)?$/;

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || code > 127;
}

function tokens(text: string): Token[] {
  const found: Token[] = [];
  let last = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    const number = isDigit(code);
    if (!number && !isLetter(code)) {
      at++;
      continue;
    }
    let end = at + 1;
    if (number) while (end < text.length && isDigit(text.charCodeAt(end))) end++;
    else while (end < text.length && isLetter(text.charCodeAt(end))) end++;
    found.push({ text: text.slice(at, end), gap: text.slice(last, at), number });
    last = end;
    at = end;
  }
  return found;
}

interface Day {
  year: number;
  month: number;
  day: number;
}

/**
 * A moment as any registry writes it, as ISO 8601 in UTC; null when it is none. A date without a time is its midnight,
 * a month without a day its first; a time without a zone counts as UTC.
 */
export function parseDate(given: string, order: DateOrder = 'day-month'): string | null {
  if (isoDate.test(given)) {
    const time = given.length > 10 ? given.slice(11, 19) : '00:00:00';
    const fraction = given[19] === '.' ? given.slice(20, 23).replace('Z', '') : '';
    return `${given.slice(0, 10)}T${time}.${fraction.padEnd(3, '0')}Z`;
  }
  const all = tokens(withoutAccents(given.slice(0, MAX_LENGTH).toLowerCase()));
  const day = dayOf(all, order);
  if (!day) return null;
  const { year, month, day: date } = day;
  if (date > daysOf(month, year)) return null;
  const time = timeOfDay(all);
  if (time === 0 && year >= 1970) return `${year}-${twoDigits(month + 1)}-${twoDigits(date)}T00:00:00.000Z`;
  const moment = Date.UTC(year, month, date) + time;
  return moment >= 0 && moment < LAST_YEAR ? new Date(moment).toISOString() : null;
}

/** `month` counts from 0. */
function daysOf(month: number, year: number): number {
  if (month === 1) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 3 || month === 5 || month === 8 || month === 10 ? 30 : 31;
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

function dayOf(all: readonly Token[], order: DateOrder): Day | undefined {
  const first = all.findIndex((token) => token.number);
  if (first < 0) return undefined;
  const named = all.findIndex((token) => monthByName.has(token.text));
  if (named >= 0 && named <= first + 3) return dayWithMonthName(all, named);
  return dayOfNumbers(all, first, order);
}

function dayOfNumbers(all: readonly Token[], first: number, order: DateOrder): Day | undefined {
  const [a, b, c] = [all[first], all[first + 1], all[first + 2]];
  if (!a) return undefined;
  if (a.text.length === 8 || a.text.length === 14) {
    const [year, month, day] = [a.text.slice(0, 4), a.text.slice(4, 6), a.text.slice(6, 8)].map(Number);
    return checked(year, month, day);
  }
  if (!b?.number || !c?.number) return undefined;
  const [x, y, z] = [Number(a.text), Number(b.text), Number(c.text)];
  if (a.text.length === 4) return checked(x, y, z);
  const year = c.text.length === 2 ? fullYear(z) : z;
  const monthFirst = (order === 'month-day' && x <= 12) || y > 12;
  return monthFirst ? checked(year, x, y) : checked(year, y, x);
}

/** "16-Apr-1999", "2nd April, 2001", "May 22 2002", "Tue Dec 12 10:00:00 UTC 2000", "2001-Aug-23", "Aug-1996". */
function dayWithMonthName(all: readonly Token[], named: number): Day | undefined {
  const month = (monthByName.get(all[named]?.text ?? '') ?? 0) + 1;
  let day: number | undefined;
  let year: number | undefined;
  for (const [index, token] of all.entries()) {
    if (!token.number) continue;
    // What follows a colon, or comes before one, is the time.
    if (token.gap.endsWith(':') || all[index + 1]?.gap === ':') continue;
    const value = Number(token.text);
    if (token.text.length === 4) year ??= value;
    else if (day === undefined && token.text.length <= 2) day = value;
    else if (year === undefined && token.text.length === 2 && index <= named + 2) year = fullYear(value);
    else continue;
    if (day !== undefined && year !== undefined) break;
  }
  if (day === undefined && all.length > named + 2) return undefined;
  return checked(year, month, day ?? 1);
}

function fullYear(twoDigits: number): number {
  return twoDigits < 70 ? 2000 + twoDigits : 1900 + twoDigits;
}

function checked(year = 0, month = 0, day = 0): Day | undefined {
  if (month < 1 || month > 12 || day < 1 || day > 31 || year < 1000) return undefined;
  return { year, month: month - 1, day };
}

/** Milliseconds to add to the midnight: hours, minutes, seconds and what lies after them, less the zone. */
function timeOfDay(all: readonly Token[]): number {
  const start = all.findIndex((token, index) => token.number && all[index + 1]?.gap === ':');
  if (start < 0) return 0;
  const hours = Number(all[start]?.text);
  const minutes = Number(all[start + 1]?.text);
  if (hours > 24 || minutes > 59) return 0;
  let end = start + 2;
  let seconds = 0;
  if (all[end]?.number && all[end]?.gap === ':') seconds = Number(all[end++]?.text);
  let milliseconds = 0;
  if (all[end]?.number && all[end]?.gap === '.') {
    milliseconds = Math.floor(Number(`0.${all[end++]?.text}`) * 1000);
  }
  const local = ((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds;
  return local - zoneMinutes(all.slice(end)) * 60_000;
}

function zoneMinutes(rest: readonly Token[]): number {
  for (const [index, token] of rest.entries()) {
    const sign = token.gap.at(-1);
    if (token.number && (sign === '+' || sign === '-') && token.text.length <= 4) {
      const next = rest[index + 1];
      const minutes = next?.number && next.gap === ':' ? Number(next.text) : 0;
      const value =
        token.text.length > 2
          ? Number(token.text.slice(0, -2)) * 60 + Number(token.text.slice(-2))
          : Number(token.text) * 60 + minutes;
      return sign === '-' ? -value : value;
    }
    const known = token.number ? undefined : zones.get(token.text);
    if (known !== undefined) return known;
  }
  return 0;
}
