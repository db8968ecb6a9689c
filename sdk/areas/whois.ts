import type { Requests } from '../requests.ts';
import type { RequestOptions } from '../send.ts';

export const whois = (api: Requests) => ({
  domain: (domain: string, options?: RequestOptions) =>
    api.call('get', '/whois/domain', { query: { domain } }, options),
  /** The same look-up as the registry wrote it. */
  raw: (domain: string, options?: RequestOptions) =>
    api.read('/whois/domain', { query: { domain, raw: true } }, options, (response) => response.text()),
  /** Up to 20 names. */
  availability: (domain: string[], options?: RequestOptions) =>
    api.call('get', '/whois/availability', { query: { domain } }, options),
});
