import type { FastifyContextConfig } from 'fastify';
import { ErrorBody } from '#http/schema.ts';

/** What every operation can answer besides its success, from what its route declares. */

export type Schema = Record<string, unknown>;

export const failureTexts: Record<number, string> = {
  400: 'The request is not what this operation accepts.',
  401: 'The bearer token is missing, expired, revoked or not ours.',
  403: 'The token may not do this.',
  404: 'Nothing with this id is visible to this token.',
  409: 'It contradicts what is there already.',
  410: 'It is over.',
  412: 'The precondition of the request does not hold.',
  413: 'The body is larger than this operation accepts.',
  406: 'None of the media types that the client accepts is made here.',
  402: 'A budget is used up.',
  502: 'Something beyond this instance failed.',
  415: 'The body has a content type that this operation does not accept.',
  422: 'The Idempotency-Key was used for another request.',
  429: 'Too many requests; Retry-After says when to try again.',
  500: 'A failure of the server.',
  503: 'Something that the server depends on is away; Retry-After says when to try again.',
  504: 'Something beyond this instance did not answer in time.',
  507: 'The storage is full.',
};

function statusesOf(method: string, schema: Schema, config: FastifyContextConfig): readonly number[] {
  const changes = method !== 'GET';
  const isOpen = config.public && !config.session;
  return [
    400,
    ...(isOpen ? [] : [401, 403, 404]),
    ...(schema['params'] ? [404] : []),
    ...(changes && !isOpen ? [409] : []),
    ...(changes ? [413, 415] : []),
    ...(config.once ? [422] : []),
    ...[429, 500, 503],
    ...(config.errors ?? []),
  ];
}

/** Those that the route does not describe itself, as it would (`409: ErrorBody`). */
export function failures(method: string, schema: Schema, config: FastifyContextConfig): Schema {
  const own = schema['response'] as Schema;
  const isOwn = (status: number) => String(status) in own || `${String(status)[0]}xx` in own;
  const missing = new Set(statusesOf(method, schema, config).filter((status) => !isOwn(status)));
  return Object.fromEntries(
    [...missing]
      .sort((a, b) => a - b)
      .map((status) => [status, { ...ErrorBody, description: failureTexts[status] ?? 'It failed.' }]),
  );
}
