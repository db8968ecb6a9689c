import { Problem } from '#core/problem.ts';
import { contentTypeFor, sniffContentType } from './sniff.ts';

/** Types that a browser runs: pages, and XML of any kind, whose elements may be those of a page. */
const programs =
  /^(text\/(html|xml|xsl|rdf)|application\/xml|multipart\/x-mixed-replace|[\w!#$&^.-]+\/[\w!#$&^.+-]+\+xml)\b/i;

/** What the caller says, else what the bytes or the key say. What the bytes show to be a picture is never a page. */
export function contentTypeOf(declared: string | null, key: string, head: Uint8Array): string | null {
  const said = declared?.trim();
  if (!said) return contentTypeFor(key, head);
  const shown = programs.test(said) ? sniffContentType(head) : undefined;
  return shown?.startsWith('image/') ? shown : said;
}

/** Whether a browser may run it as a page of its origin. */
export function isProgram(contentType: string | null): boolean {
  return contentType !== null && programs.test(contentType);
}

/** RFC 9110, 5.5: what a header can carry. */
export function checkHeaderText(text: string, field: string): void {
  if (/^[\t\x20-\x7e]*$/.test(text)) return;
  throw new Problem(
    'invalid_request',
    `The field "${field}" must be of visible ASCII characters and blanks.`,
  );
}

export function checkContentType(text: string | null | undefined): void {
  if (text === null || text === undefined || text === '') return;
  if (text.length <= 256 && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(\s*;[\t\x20-\x7e]*)?$/.test(text)) return;
  throw new Problem('invalid_request', 'The content type must look like "image/png".');
}
