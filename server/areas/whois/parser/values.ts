/** What registries write where they have nothing to say. Sentences about privacy are not among them: those are passed on. */
const nothing = new Set([
  ...['', '-', '--', '---', '.', '..', ',', '*', '?', 'n/a', 'na', 'null', 'nil', 'none', 'none none', 'nan'],
  ...[
    '<no value>',
    'not.defined',
    'not.defined.',
    'not defined',
    'not available',
    'not applicable',
    'unknown',
  ],
  ...['no data', 'not available not available', 'not available from registry', '0000-00-00', 'undefined'],
]);

const nothingBegins = new Set([...nothing].flatMap((text) => [text[0], text[0]?.toUpperCase()]));
const LONGEST_NOTHING = Math.max(...[...nothing].map((text) => text.length));

/** The value, trimmed; null when it says nothing. */
export function given(value: string | undefined): string | null {
  let text = value?.trim() ?? '';
  while (text.startsWith(':')) text = text.slice(1).trimStart();
  if (text.length > LONGEST_NOTHING || !nothingBegins.has(text[0])) return text;
  return nothing.has(text.toLowerCase()) ? null : text;
}

const withheld = [
  ...['redacted', 'not disclosed', 'not shown', 'hidden', 'data protected', 'withheld', 'masked', 'private'],
  ...['non-public data', 'gdpr', 'statutory'],
];

/** Whether the text stands in place of something that the registry keeps to itself. */
export function isWithheld(text: string): boolean {
  const lower = text.toLowerCase();
  return withheld.some((word) => lower.includes(word));
}

/** What nearly every host looks like: each label begins with a letter or digit, the last is of letters. */
const plainHost = /^(?:[a-z0-9][a-z0-9-]{0,61}\.){1,8}[a-z]{2,24}$/;

/** A host name of two labels at least, lower-case, without the final dot; null when the token is none. */
export function hostName(token: string): string | null {
  let host = token.toLowerCase();
  while (host.endsWith('.')) host = host.slice(0, -1);
  if (host.length < 3 || host.length > 253 || !host.includes('.') || nothing.has(host)) return null;
  if (plainHost.test(host)) return host;
  if (!/^[\p{L}\p{N}_.-]+$/u.test(host)) return null;
  const labels = host.split('.');
  if (labels.some((label) => label === '' || label.length > 63 || label.startsWith('-'))) return null;
  return /\p{L}/u.test(labels.at(-1) ?? '') ? host : null;
}

/** Adds the host names of a line of name servers; addresses, glue and remarks beside them are left out. */
export function addHostNames(text: string, hosts: string[]): void {
  const only = hostName(text);
  if (only !== null) {
    hosts.push(only);
    return;
  }
  // What stands in brackets is glue or the result of a check.
  for (const token of withoutBrackets(text).split(/[\s,;]/)) {
    const host = hostName(token);
    if (host !== null) hosts.push(host);
  }
}

function withoutBrackets(text: string): string {
  if (!text.includes('(') && !text.includes('[')) return text;
  let kept = '';
  let depth = 0;
  for (const character of text) {
    if (character === '(' || character === '[') depth++;
    if (depth === 0) kept += character;
    if ((character === ')' || character === ']') && depth > 0) depth--;
  }
  return kept;
}

const atSigns = [' [at] ', '[at]', ' (at) ', '(at)', ' at ', ' en ', '(a)', ' @ '];

const mayMeanAt = /[[( ](?:at|en|a|@)[\]) ]/i;

/** Writes "admin AT example.org", "info [at] example.org" with the sign that was meant. */
function withAtSign(text: string): string {
  if (!mayMeanAt.test(text)) return text;
  const lower = text.toLowerCase();
  for (const sign of atSigns) {
    const at = lower.indexOf(sign);
    if (at <= 0) continue;
    const local = text.slice(0, at);
    const host = text.slice(at + sign.length);
    const localStart = Math.max(local.lastIndexOf(' '), local.lastIndexOf('('), local.lastIndexOf('\t')) + 1;
    const hostEnd = host.search(/[\s)]/);
    if (localStart === at || !hostName(hostEnd < 0 ? host : host.slice(0, hostEnd))) continue;
    return `${local}@${host}`;
  }
  return text;
}

const plainEmail = /^[\w.+-]{1,64}@[a-z0-9-]{1,63}\.[a-z0-9.-]{1,180}[a-z]$/i;

/** The first e-mail address in the text, and the text without it (brackets around it go too). */
export function takeEmail(text: string): { email: string | null; rest: string } {
  if (plainEmail.test(text)) return { email: text, rest: '' };
  const line = withAtSign(text);
  const at = line.indexOf('@');
  if (at <= 0) return { email: null, rest: text };
  let start = at;
  while (start > 0 && isEmailCharacter(line.charCodeAt(start - 1))) start--;
  let end = at + 1;
  while (end < line.length && isEmailCharacter(line.charCodeAt(end))) end++;
  const email = line.slice(start, end).replace(/[.,;]$/, '');
  if (start === at || !hostName(email.slice(at - start + 1))) return { email: null, rest: text };
  const before = line.slice(0, start).replace(/[<([]$/, '');
  const after = line.slice(end).replace(/^[>)\]]/, '');
  return { email, rest: `${before} ${after}`.trim() };
}

function isEmailCharacter(code: number): boolean {
  // Letters, digits and the marks that addresses carry in practice: ! # $ % & ' * + - . / = ? ^ _ ` { | } ~ without / and '.
  if (code > 127) return true;
  return /[\w.!#$%&*+=?^`{|}~-]/.test(String.fromCharCode(code));
}

/** Whether a line is a telephone number and nothing else: seven digits at least, or five after a plus sign. */
export function isPhone(text: string): boolean {
  if (text.length > 40) return false;
  let digits = 0;
  for (const character of text) {
    if (character >= '0' && character <= '9') digits++;
    else if (!' +().-/x'.includes(character)) return false;
  }
  return digits >= 7 || (digits >= 5 && text.startsWith('+'));
}

/** The web address in the text, null when there is none. */
export function webAddress(text: string): string | null {
  const value = given(text);
  if (!value) return null;
  const start = value.search(/https?:\/\/|www\./i);
  if (start >= 0) {
    const rest = value.slice(start);
    const end = rest.search(/[\s)>\]]/);
    return (end < 0 ? rest : rest.slice(0, end)) || null;
  }
  return hostName(value.split('/', 1)[0] ?? '') ? value : null;
}

const accents = /[\u0300-\u036f]/g;
const notAscii = /[\u0080-\uffff]/;

/** "février" as "fevrier". */
export function withoutAccents(text: string): string {
  return notAscii.test(text) ? text.normalize('NFD').replace(accents, '') : text;
}
