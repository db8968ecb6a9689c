/** An object of which nothing is accepted yet. */
export type Json = Readonly<Record<string, unknown>>;

/** Lists in answers are short; what lies beyond is not read. */
const MAX_ITEMS = 200;
const MAX_TEXT = 2_000;

export function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, MAX_ITEMS) : [];
}

/** Trimmed text in one line; null for everything else, and for nothing. */
export function textOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value
    .slice(0, MAX_TEXT)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return text === '' ? null : text;
}

/** A structured value may be a text or a list of texts at any place (RFC 7095, 3.3.1.3). */
export function textsOf(value: unknown): string | null {
  if (!Array.isArray(value)) return textOf(value);
  const texts = listOf(value)
    .map(textOf)
    .filter((text) => text !== null);
  return texts.length > 0 ? texts.join(', ') : null;
}
