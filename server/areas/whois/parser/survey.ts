import type { Line } from './lines.ts';
import { unquoted } from './split-label.ts';
import { given, hostName } from './values.ts';

const handleLabels = new Set([
  'contact-hdl',
  'nic-hdl',
  'nic-hdl-br',
  'contact-id',
  'contact-handle',
  'hun-id',
  'nichandle',
  'norid handle',
]);

/** What is known of an answer before it is read line by line. */
export interface Survey {
  /** Handles of the paragraphs that describe a party, by the index of their first line. */
  readonly handles: ReadonlyMap<number, string>;
  /** The paragraphs that name a domain, likewise. */
  readonly ofDomain: ReadonlySet<number>;
  /** The name whose record is wanted: the one asked for, or the first when the answer speaks of others only. */
  readonly wanted: string;
}

export function survey(lines: readonly Line[], domain: string): Survey {
  const asked = domain.toLowerCase();
  const handles = new Map<number, string>();
  const ofDomain = new Set<number>();
  const references = new Map<string, string>();
  let first: string | null = null;
  let found = false;
  let start = 0;
  let hosts = false;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] as Line;
    const { startsParagraph, label, meaning, value } = line;
    if (startsParagraph) {
      start = index;
      hosts = false;
    }
    const header = references.size > 0 ? references.get(headerOf(line)) : undefined;
    if (header !== undefined && describes(lines[index + 1], line)) handles.set(index, header);
    if (label === null || meaning === null) continue;
    if (meaning.kind === 'party' && value !== '') references.set(value.toLowerCase(), value);
    if (meaning.kind === 'domain') {
      if (meaning.field === 'nameserver') hosts = true;
      if (meaning.field === 'name') {
        ofDomain.add(start);
        const name = hostName(value.split(/[\s(]/, 1)[0] ?? '');
        found ||= name === asked;
        first ??= name;
      }
    } else if (meaning.kind !== 'field') continue;
    if ((meaning.field === 'handle' || meaning.field === 'id') && handleLabels.has(label.toLowerCase())) {
      const handle = given(value);
      if (handle !== null && !handles.has(start)) handles.set(start, handle);
    }
    // A domain that has a handle, or a host, is no party.
    if (handles.size > 0 && (hosts || ofDomain.has(start))) handles.delete(start);
  }
  return { handles, ofDomain, wanted: found ? asked : (first ?? asked) };
}

/** What a line says that is nothing but a handle: "ABC123", "[ABC123]", "ABC123:". */
function headerOf({ text, label, value }: Line): string {
  if (value !== '' && label !== null) return '';
  return (label ?? unquoted(text)).toLowerCase();
}

/** Whether the line says something about the handle that stands before it. */
function describes(next: Line | undefined, { startsParagraph, indent }: Line): boolean {
  return next?.meaning?.kind === 'field' && (startsParagraph || next.indent > indent);
}
