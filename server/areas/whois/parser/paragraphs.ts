import type { Line } from './lines.ts';
import { given, hostName } from './values.ts';

const handleLabels = new Set([
  'contact-hdl',
  'nic-hdl',
  'nic-hdl-br',
  'contact-id',
  'hun-id',
  'nichandle',
  'norid handle',
]);

/** What paragraphs speak of, by the index of their first line. */
export interface Paragraphs {
  /** Handles of those that describe a party. */
  readonly handles: Map<number, string>;
  /** Those that name a domain. */
  readonly ofDomain: Set<number>;
}

export function readParagraphs(lines: readonly Line[]): Paragraphs {
  const handles = new Map<number, string>();
  const ofDomain = new Set<number>();
  let start = 0;
  let hosts = false;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] as Line;
    if (line.startsParagraph) {
      start = index;
      hosts = false;
    }
    if (line.label === null) continue;
    const { meaning } = line;
    if (meaning === null || (meaning.kind !== 'domain' && meaning.kind !== 'field')) continue;
    if (meaning.field === 'name' && meaning.kind === 'domain') ofDomain.add(start);
    hosts ||= meaning.field === 'nameserver';
    if (
      (meaning.field === 'handle' || meaning.field === 'id') &&
      handleLabels.has(line.label.toLowerCase())
    ) {
      const handle = given(line.value);
      if (handle !== null && !handles.has(start)) handles.set(start, handle);
    }
    // A domain that has a handle, or a host, is no party.
    if (handles.size > 0 && (hosts || ofDomain.has(start))) handles.delete(start);
  }
  return { handles, ofDomain };
}

/** The name whose record is wanted: the one asked for, or the first when the answer speaks of others only. */
export function wantedName(lines: readonly Line[], domain: string): string {
  let first: string | null = null;
  const asked = domain.toLowerCase();
  for (const line of lines) {
    if (line.label === null || line.meaning?.kind !== 'domain' || line.meaning.field !== 'name') continue;
    const name = hostName(line.value.split(/[\s(]/, 1)[0] ?? '');
    if (name === asked) return asked;
    first ??= name;
  }
  return first ?? asked;
}
