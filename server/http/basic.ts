import { Problem } from '#core/problem.ts';

/** The credentials of an Authorization header: RFC 7617, both halves form-encoded (RFC 6749, 2.3.1). */
export function readBasic(authorization: string): { id: string; secret: string } {
  const [, encoded = ''] = /^Basic\s+(\S+)$/i.exec(authorization) ?? [];
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  if (encoded === '' || colon < 0) {
    throw new Problem(
      'invalid_request',
      'The Authorization header must be Basic and the base64 of the client id, a colon and the secret.',
    );
  }
  return { id: formDecoded(decoded.slice(0, colon)), secret: formDecoded(decoded.slice(colon + 1)) };
}

function formDecoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Problem('invalid_request', 'The Basic credentials hold a malformed percent-encoding.');
  }
}

/** What a refusal of such credentials says (RFC 6749, 5.2). */
export const basicChallenge = { 'www-authenticate': 'Basic realm="mainstay", charset="UTF-8"' };
