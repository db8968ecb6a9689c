/** Shorter values would mask half of what is printed. */
const minCharacters = 6;
const shown = '***';

/** Replaces secrets in what is shown. */
export type Mask = (text: string) => string;

/**
 * Masks the values wherever they stand: as they are, line by line where they have several, in base64 (alone, or behind
 * something else, as in `Authorization: Basic`), in hexadecimal, as part of a URL or a form, and as part of JSON.
 */
export function maskOf(values: readonly string[]): Mask {
  const forms = new Set(values.flatMap(formsOf).filter((form) => form.length >= minCharacters));
  // A secret that begins another one must not hide what is left of it.
  const sorted = [...forms].sort((a, b) => b.length - a.length);
  return (text) => {
    let masked = text;
    for (const form of sorted) if (masked.includes(form)) masked = masked.replaceAll(form, shown);
    return masked;
  };
}

function formsOf(value: string): string[] {
  if (value.length < minCharacters) return [];
  const lines = value.split(/\r?\n/).map((line) => line.trim());
  // `-----BEGIN PRIVATE KEY-----` is no secret.
  const ofLines = lines.length > 1 ? lines.filter((line) => !line.startsWith('-----')) : [];
  return [value, ...ofLines].flatMap((plain) => {
    const inUrl = encodeURIComponent(plain);
    const bytes = Buffer.from(plain);
    const hex = bytes.toString('hex');
    const inJson = JSON.stringify(plain).slice(1, -1);
    return [
      ...[plain, inUrl, inUrl.replaceAll('%20', '+'), inUrl.replace(/%[0-9A-F]{2}/g, lower)],
      new URLSearchParams({ '': plain }).toString().slice(1),
      ...[inJson, JSON.stringify(inJson).slice(1, -1), hex, hex.toUpperCase()],
      ...[0, 1, 2].flatMap((offset) => inBase64(bytes, offset)),
    ];
  });
}

function lower(text: string): string {
  return text.toLowerCase();
}

/** What is certain of the value's base64 when so many bytes (modulo three) stand before it, and others may follow. */
function inBase64(bytes: Buffer, offset: number): string[] {
  const before = Buffer.alloc(offset);
  const text = Buffer.concat([before, bytes]).toString('base64');
  const start = offset === 0 ? 0 : offset + 1;
  const isWhole = (offset + bytes.length) % 3 === 0;
  const certain = text.replace(/=+$/, '').slice(start, isWhole ? undefined : -1);
  return [certain, certain.replaceAll('+', '-').replaceAll('/', '_')];
}
