import type { FastifyRequest } from 'fastify';
import { Problem } from '#core/problem.ts';

/**
 * What tells our own pages from those of others when a browser adds a cookie by itself (OWASP, CSRF prevention). Two
 * things have to be right: a header that no form and no plain request of another site can carry, and, where the browser
 * says so, that the request comes from a page of ours.
 */
export const browserHeader = 'x-mainstay-session';

/** Refuses what a page of another site made the browser send. `origin` is ours: scheme, host and port. */
export function demandOwnPage(request: FastifyRequest, origin: string): void {
  const { headers } = request;
  if (headers[browserHeader] === undefined) {
    throw new Problem('forbidden', 'Send the header X-Mainstay-Session: 1 along with the session cookie.');
  }
  const site = headers['sec-fetch-site'];
  // Browsers set Sec-Fetch-Site themselves and let no page change it; those that do not know it send Origin.
  const isOurs = site === undefined ? (headers.origin ?? origin) === origin : site === 'same-origin';
  if (!isOurs) {
    throw new Problem('forbidden', `Requests with the session cookie are for pages of ${origin} only.`);
  }
}

/** The value of a cookie of the request, as it was sent. */
export function cookieOf(request: FastifyRequest, name: string): string | undefined {
  const { cookie } = request.headers;
  if (cookie === undefined || !cookie.includes(name)) return undefined;
  for (const part of cookie.split(';')) {
    const equals = part.indexOf('=');
    if (equals > 0 && part.slice(0, equals).trim() === name) return part.slice(equals + 1).trim();
  }
  return undefined;
}
