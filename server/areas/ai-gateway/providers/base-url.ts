import { isIP } from 'node:net';
import { Outgoing } from '#core/outgoing.ts';
import { Problem } from '#core/problem.ts';
import { dialectOf } from './presets.ts';
import type { ProviderType } from './schema.ts';

const publicOnly = new Outgoing();

/** Names are checked whenever they are connected to; an address that is written out is refused at once. */
export function checkedUrl(
  text: string | null,
  type: ProviderType,
  slug: string,
  allowPrivate: boolean,
): string | null {
  if (text === null) {
    if (dialectOf(type, slug).baseUrl === undefined)
      throw new Problem(
        'invalid_request',
        'The field "baseUrl" is missing: this type has no address of its own.',
      );
    return null;
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    !url ||
    !['http:', 'https:'].includes(url.protocol) ||
    url.username ||
    url.password ||
    url.hash ||
    url.search
  )
    throw new Problem(
      'invalid_request',
      'The field "baseUrl" must be an http or https address without user, query and fragment.',
    );
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isLocal = host === 'localhost' || host.endsWith('.localhost');
  if (!allowPrivate && (isLocal || (isIP(host) && !publicOnly.permits(host))))
    throw new Problem(
      'invalid_request',
      `The field "baseUrl" names a private address (${host}). An operator can allow it with "allowPrivate".`,
    );
  return text.replace(/\/+$/, '');
}
