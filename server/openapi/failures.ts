import type { FastifyContextConfig } from 'fastify';
import { ErrorBody } from '#http/schema.ts';

/** What every operation can answer besides its success, from what its route declares. */

export type Schema = Record<string, unknown>;

export const failureTexts: Record<number, string> = {
  400: 'The request is not valid.',
  401: 'The bearer token is missing, expired, revoked or not valid.',
  403: 'The token lacks permission.',
  404: 'There is nothing with this id that is visible to this token.',
  409: 'The request conflicts with the current state of the resource.',
  410: 'The resource is no longer available.',
  412: 'A precondition of the request failed.',
  413: 'The body is larger than this operation accepts.',
  406: 'None of the media types in the Accept header is available.',
  402: 'A budget is used up.',
  502: 'An upstream service failed.',
  415: 'The body has a content type that this operation does not accept.',
  422: 'The Idempotency-Key was used for another request.',
  429: 'Too many requests; retry after the time in Retry-After.',
  500: 'Server error.',
  503: 'A dependency of the server is unavailable; retry after the time in Retry-After.',
  504: 'An upstream service did not respond in time.',
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
