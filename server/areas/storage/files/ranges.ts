import type { BlobRange } from '#core/blobs.ts';

/** More are a client's mistake, or an attack: the whole content is sent instead (RFC 9110, 14.2). */
const maxRanges = 32;

/**
 * The ranges that a Range header asks for; undefined: the header is to be ignored; an empty list: none of them is there
 * (416). Those that would send more than the whole are ignored too.
 */
export function parseRanges(header: string, size: number): BlobRange[] | undefined {
  const [, list] = /^bytes=([\d\s,-]+)$/.exec(header) ?? [];
  if (list === undefined || header.length > 1000) return undefined;
  const parts = list.split(',').map((part) => part.trim());
  if (parts.length > maxRanges) return undefined;
  const found: BlobRange[] = [];
  for (const part of parts) {
    if (part === '') continue;
    const range = parseRange(part, size);
    if (range === undefined) return undefined;
    if (range !== null) found.push(range);
  }
  const sum = found.reduce((total, { start, end }) => total + end - start, 0);
  return found.length > 1 && sum > size ? undefined : found;
}

/** Null: not in the content. Undefined: no range at all. */
function parseRange(text: string, size: number): BlobRange | null | undefined {
  const [whole, first, last] = /^(\d{0,15})-(\d{0,15})$/.exec(text) ?? [];
  if (whole === undefined || (first === '' && last === '')) return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? null : { start: size - length, end: size };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  const end = last === '' ? size : Math.min(Number(last) + 1, size);
  return start >= size ? null : { start, end };
}
