import { isId } from '#core/ids.ts';
import { Problem } from '#core/problem.ts';

const maxKeyBytes = 1024;

/**
 * A key as both the API and S3 take it: 1 to 1024 bytes of UTF-8. Nothing is normalized: two keys that differ in a byte
 * are two keys. NUL is refused, since PostgreSQL cannot hold it, and so is a path that a browser would rewrite.
 */
export function keyProblem(key: string): string | undefined {
  if (key === '') return 'must not be empty';
  if (!key.isWellFormed()) return 'must be valid Unicode';
  if (Buffer.byteLength(key) > maxKeyBytes) return `must be at most ${maxKeyBytes} bytes of UTF-8`;
  if (key.includes('\0')) return 'must hold no NUL character';
  return undefined;
}

export function checkKey(key: string): void {
  const wrong = keyProblem(key);
  if (wrong) throw new Problem('invalid_request', `The field "key" ${wrong}.`);
}

/** A bucket's name as the API takes it. S3 allows more: dots. */
export function checkBucketName(name: string): void {
  const wrong =
    (!/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/.test(name) &&
      'must be 3 to 63 lower-case letters, digits and hyphens, with no hyphen at its ends') ||
    (isId(name) && 'must not look like an id') ||
    (isReserved(name) && 'has a beginning or an end that S3 reserves');
  if (wrong) throw new Problem('invalid_request', `The field "name" ${wrong}.`);
}

const reservedStarts = ['xn--', 'sthree-', 'amzn-s3-demo-'];
const reservedEnds = ['-s3alias', '--ol-s3', '.mrap', '--x-s3', '--table-s3'];

function isReserved(name: string): boolean {
  return (
    reservedStarts.some((start) => name.startsWith(start)) || reservedEnds.some((end) => name.endsWith(end))
  );
}

/** The least text, in the order of UTF-8 bytes, that is above every text with this prefix; undefined: there is none. */
export function afterPrefix(prefix: string): string | undefined {
  const points = [...prefix];
  while (points.length > 0) {
    const last = points.pop() as string;
    const next = nextCodePoint(last.codePointAt(0) as number);
    if (next !== undefined) return points.join('') + String.fromCodePoint(next);
  }
  return undefined;
}

function nextCodePoint(point: number): number | undefined {
  if (point === 0x10ffff) return undefined;
  // Surrogates are no characters of their own.
  return point === 0xd7ff ? 0xe000 : point + 1;
}

/** What a prefix may be: any text that a key may begin with, or nothing. */
export function checkPrefix(text: string, field: string): void {
  if (!text.isWellFormed() || text.includes('\0') || Buffer.byteLength(text) > maxKeyBytes) {
    const sentence = `The query parameter "${field}" must be at most ${maxKeyBytes} bytes of valid Unicode.`;
    throw new Problem('invalid_request', sentence);
  }
}
