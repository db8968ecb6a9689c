import { allowOrigin, type BucketRow, type CorsRule, findCorsRule } from '#areas/storage/service.ts';
import type { Call } from './call.ts';
import { S3Error } from './errors.ts';

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/cors.html: without rules no page of another origin is let in. */

function rulesOf(bucket: BucketRow): CorsRule[] {
  return bucket.cors === '[]' ? [] : (JSON.parse(bucket.cors) as CorsRule[]);
}

function headersOf(rule: CorsRule, origin: string): Record<string, string> {
  const exposed = rule.exposeHeaders ?? [];
  return {
    ...allowOrigin(rule, origin),
    'access-control-allow-methods': rule.allowedMethods.join(', '),
    ...(exposed.length > 0 ? { 'access-control-expose-headers': exposed.join(', ') } : {}),
    ...(rule.allowedOrigins.includes('*') ? {} : { 'access-control-allow-credentials': 'true' }),
  };
}

/** Of the answer to a request of a page. */
export function setCorsHeaders({ headers, method, response }: Call, bucket: BucketRow): void {
  const { origin } = headers;
  if (origin === undefined) return;
  const wanted = headers['access-control-request-method'] ?? method;
  const rule = findCorsRule(rulesOf(bucket), { origin, method: wanted });
  if (!rule) return;
  for (const [name, value] of Object.entries(headersOf(rule, origin))) response.setHeader(name, value);
}

/** OPTIONS, which nobody signs. */
export function answerPreflight(call: Call, bucket: BucketRow | null): void {
  const { headers, response } = call;
  const { origin } = headers;
  const method = headers['access-control-request-method'];
  if (origin === undefined)
    throw new S3Error('BadRequest', 'Insufficient information. Origin request header needed.');
  if (method === undefined) throw new S3Error('BadRequest', 'Invalid Access-Control-Request-Method: null');
  const asked = (headers['access-control-request-headers'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const rule = bucket ? findCorsRule(rulesOf(bucket), { origin, method, headers: asked }) : undefined;
  if (!rule)
    throw new S3Error('AccessDenied', 'CORSResponse: This CORS request is not allowed.', {
      fields: { Method: method.slice(0, 32), ResourceType: 'OBJECT' },
    });
  response.writeHead(200, {
    ...headersOf(rule, origin),
    ...(asked.length > 0 ? { 'access-control-allow-headers': asked.join(', ') } : {}),
    ...(rule.maxAgeSeconds === undefined ? {} : { 'access-control-max-age': String(rule.maxAgeSeconds) }),
    'content-length': 0,
  });
  response.end();
}
