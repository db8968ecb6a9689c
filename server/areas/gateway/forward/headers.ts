import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Onward } from './onward.ts';

/** RFC 9110, 7.6.1, and what only the gateway may say. */
const notForwarded = new Set([
  ...[
    'connection',
    'keep-alive',
    'proxy-authenticate',
    'proxy-authorization',
    'proxy-connection',
    'te',
    'trailer',
  ],
  ...[
    'transfer-encoding',
    'upgrade',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-real-ip',
    'forwarded',
  ],
]);

/** What the other side is sent besides the frame of the body. */
export function forwardedHeaders(
  request: IncomingMessage,
  onward: Onward,
): Record<string, string | string[]> {
  const named = new Set(
    String(request.headers.connection ?? '')
      .toLowerCase()
      .split(/\s*,\s*/),
  );
  const headers: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || notForwarded.has(name) || name.startsWith('x-mainstay-') || named.has(name))
      continue;
    headers[name] = value;
  }
  delete headers['content-length'];
  const cookies = withoutOwnCookies(request.headers.cookie);
  if (cookies === undefined) delete headers['cookie'];
  else headers['cookie'] = cookies;
  headers['x-forwarded-for'] = onward.address;
  headers['x-forwarded-host'] = request.headers.host ?? '';
  headers['x-forwarded-proto'] = onward.scheme;
  return Object.assign(headers, onward.headers);
}

/** What lets a visitor in is not for the code behind the door. */
function withoutOwnCookies(cookie: string | undefined): string | undefined {
  if (!cookie?.includes('__mainstay_')) return cookie;
  const kept = cookie.split(/;\s*/).filter((pair) => !pair.startsWith('__mainstay_'));
  return kept.length === 0 ? undefined : kept.join('; ');
}

/** What the visitor is sent. */
export function answerable(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !notForwarded.has(name)) kept[name] = value;
  return kept;
}
