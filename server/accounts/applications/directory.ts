import { Problem } from '#core/problem.ts';

const maxLength = 1024;
const maxSegmentBytes = 255;

/**
 * The folder of a repository or archive that holds the application, as `apps/web`; null for its root. It is written in
 * one form, whatever machine it was typed on. Throws what is wrong with it.
 */
export function rootDirectory(text: string | null): string | null {
  if (text === null) return null;
  const wrong =
    (text.length > maxLength && `must be at most ${maxLength} characters long`) ||
    (!text.isWellFormed() && 'must be valid Unicode') ||
    (/\p{Cc}/u.test(text) && 'must hold no control characters') ||
    (text.includes('\\') && 'must be written with slashes, not backslashes') ||
    (/^[a-z]:/i.test(text) && 'must not name a drive') ||
    (text.startsWith('/') && 'must be relative to the root of the project: leave out the first slash') ||
    (text.startsWith('~') && 'must be relative to the root of the project') ||
    undefined;
  if (wrong) throw refusal(wrong);
  const segments = text.split('/').filter((segment) => segment !== '' && segment !== '.');
  for (const segment of segments) {
    if (segment === '..') throw refusal('must not hold ".."');
    if (segment !== segment.trim()) throw refusal('must have no blanks at the ends of its parts');
    if (Buffer.byteLength(segment) > maxSegmentBytes)
      throw refusal(`must have parts of at most ${maxSegmentBytes} bytes`);
  }
  return segments.length === 0 ? null : segments.join('/');
}

function refusal(what: string): Problem {
  return new Problem('invalid_request', `The field "rootDirectory" ${what}.`);
}
