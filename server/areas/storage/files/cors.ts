import type { IncomingMessage } from 'node:http';
import type { CorsRule } from '../schema.ts';
import type { BucketRow } from '../store.ts';

/** https://fetch.spec.whatwg.org/#http-cors-protocol, by the rules of a bucket as S3 reads them: the first that fits. */

const everyone: CorsRule = {
  allowedOrigins: ['*'],
  allowedMethods: ['GET', 'HEAD'],
  allowedHeaders: ['*'],
  exposeHeaders: ['ETag', 'Content-Range', 'Content-Length', 'Accept-Ranges', 'Content-Disposition'],
  maxAgeSeconds: 86_400,
};

function rulesOf(bucket: BucketRow, dashboard: string): readonly CorsRule[] {
  const rules = JSON.parse(bucket.cors) as CorsRule[];
  // What the dashboard shows of an object, it reads by an address that it was given: rules are for pages of others.
  return rules.length > 0 ? [...rules, { ...everyone, allowedOrigins: [dashboard] }] : [everyone];
}

/** One asterisk stands for anything; patterns are short, and this is linear. */
function fits(pattern: string, text: string): boolean {
  const star = pattern.indexOf('*');
  if (star < 0) return pattern === text;
  const [start, end] = [pattern.slice(0, star), pattern.slice(star + 1)];
  return text.length >= start.length + end.length && text.startsWith(start) && text.endsWith(end);
}

/** The first of the rules that fits. */
export function findCorsRule(
  rules: readonly CorsRule[],
  wanted: { origin: string; method: string; headers?: readonly string[] },
): CorsRule | undefined {
  const { origin, method, headers = [] } = wanted;
  return rules.find(
    (rule) =>
      rule.allowedOrigins.some((pattern) => fits(pattern, origin)) &&
      rule.allowedMethods.some((allowed) => allowed === method) &&
      headers.every((header) =>
        rule.allowedHeaders?.some((pattern) => fits(pattern.toLowerCase(), header.toLowerCase())),
      ),
  );
}

export function allowOrigin(rule: CorsRule, origin: string): Record<string, string> {
  if (rule.allowedOrigins.includes('*')) return { 'access-control-allow-origin': '*' };
  return { 'access-control-allow-origin': origin, vary: 'Origin' };
}

/**
 * Headers of the answer to a request, which may be one of a page. Those without an
 * origin vary by it too: a browser that keeps the answer for an `<img>` would else give it to a script, and refuse it that.
 */
export function corsHeaders(
  bucket: BucketRow,
  request: IncomingMessage,
  dashboard: string,
): Record<string, string> {
  const vary: Record<string, string> = { vary: 'Origin' };
  const { origin } = request.headers;
  if (origin === undefined) return vary;
  const rule = findCorsRule(rulesOf(bucket, dashboard), { origin, method: request.method ?? 'GET' });
  if (!rule) return vary;
  const exposed = rule.exposeHeaders ?? [];
  return {
    ...vary,
    ...allowOrigin(rule, origin),
    ...(exposed.length > 0 ? { 'access-control-expose-headers': exposed.join(', ') } : {}),
  };
}

/** Of the answer to a preflight request; undefined: it is refused. */
export function preflightHeaders(
  bucket: BucketRow,
  request: IncomingMessage,
  dashboard: string,
): Record<string, string> | undefined {
  const { origin } = request.headers;
  const method = request.headers['access-control-request-method'];
  if (origin === undefined || method === undefined) return undefined;
  const asked = request.headers['access-control-request-headers'] ?? '';
  const headers = asked
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const rule = findCorsRule(rulesOf(bucket, dashboard), { origin, method, headers });
  if (!rule) return undefined;
  return {
    ...allowOrigin(rule, origin),
    'access-control-allow-methods': rule.allowedMethods.join(', '),
    ...(headers.length > 0 ? { 'access-control-allow-headers': headers.join(', ') } : {}),
    ...(rule.maxAgeSeconds === undefined ? {} : { 'access-control-max-age': String(rule.maxAgeSeconds) }),
  };
}
