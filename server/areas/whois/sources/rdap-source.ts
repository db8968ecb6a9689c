import type { Clock } from '#core/clock.ts';
import type { Outgoing } from '#core/outgoing.ts';
import { merge } from '../merge.ts';
import { listOf, objectOf, textOf } from '../rdap/json.ts';
import { mapRdap } from '../rdap/map.ts';
import type { WhoisRecord } from '../record.ts';
import type { Bootstrap } from './bootstrap.ts';
import { get, type HttpLimits, retryAfter } from './rdap-client.ts';
import { UpstreamError } from './upstream-error.ts';
import type { Upstreams } from './upstreams.ts';

export type RdapAnswer =
  | { readonly outcome: 'registered'; readonly record: WhoisRecord }
  | { readonly outcome: 'free' };

const ACCEPT = 'application/rdap+json, application/json;q=0.8';

/** Asks the RDAP service of a registry, and the registrar's where the registry knows no contacts (RFC 9082, RFC 9083). */
export class RdapSource {
  readonly #bootstrap: Bootstrap;
  readonly #upstreams: Upstreams;
  readonly #outgoing: Outgoing;
  readonly #limits: HttpLimits;
  readonly #clock: Clock;

  constructor(options: {
    bootstrap: Bootstrap;
    upstreams: Upstreams;
    outgoing: Outgoing;
    limits: HttpLimits;
    clock: Clock;
  }) {
    this.#bootstrap = options.bootstrap;
    this.#upstreams = options.upstreams;
    this.#outgoing = options.outgoing;
    this.#limits = options.limits;
    this.#clock = options.clock;
  }

  /** Undefined when the registry has no RDAP service. Throws `UpstreamError`. */
  async ask(domain: string, tld: string): Promise<RdapAnswer | undefined> {
    const service = await this.#bootstrap.serviceOf(tld);
    if (!service) return undefined;
    const answer = await this.#get(new URL(`domain/${domain}`, service));
    if (answer === undefined) return { outcome: 'free' };
    const record = mapRdap(answer);
    if (record.domain.name === null) {
      throw new UpstreamError('broken', service.host, 'sent an answer that describes no domain.');
    }
    if (hasContacts(record)) return { outcome: 'registered', record };
    return { outcome: 'registered', record: await this.#withRegistrar(record, answer) };
  }

  /** The registrar's answer fills what is open. That it fails is no failure of the look-up. */
  async #withRegistrar(record: WhoisRecord, answer: unknown): Promise<WhoisRecord> {
    const link = relatedLink(answer);
    if (!link || !this.#mayFollow(link)) return record;
    try {
      const registrar = await this.#get(link);
      if (registrar === undefined) return record;
      const mapped = mapRdap(registrar);
      const server = textOf(objectOf(registrar)['port43']);
      return merge(record, { ...mapped, registrar: { ...mapped.registrar, whoisServer: server } });
    } catch (error) {
      if (error instanceof UpstreamError) return record;
      throw error;
    }
  }

  /** Services that IANA or the operator names, and any other by HTTPS on its own port. */
  #mayFollow = (url: URL): boolean =>
    this.#bootstrap.knows(url) || (url.protocol === 'https:' && url.port === '');

  /** The parsed answer, undefined for 404. */
  #get(url: URL): Promise<unknown> {
    return this.#upstreams.run(url.host, async () => {
      const answer = await get(url, {
        accept: ACCEPT,
        outgoing: this.#outgoing,
        limits: this.#limits,
        mayFollow: this.#mayFollow,
      });
      const { status, headers } = answer;
      if (status === 404) return undefined;
      if (status === 429 || status === 503) {
        const retryAfterSeconds = retryAfter(headers['retry-after'], this.#clock.now());
        throw new UpstreamError('throttled', url.host, `answered ${status}.`, { retryAfterSeconds });
      }
      if (status === 401 || status === 403)
        throw new UpstreamError('refused', url.host, `answered ${status}.`);
      if (status !== 200) throw new UpstreamError('broken', url.host, `answered ${status}.`);
      if (!/[/+]json/.test(headers['content-type'] ?? '')) {
        throw new UpstreamError(
          'broken',
          url.host,
          `answered with ${headers['content-type'] ?? 'no content type'}.`,
        );
      }
      try {
        return JSON.parse(answer.body.toString('utf8')) as unknown;
      } catch (cause) {
        throw new UpstreamError('broken', url.host, 'sent JSON that does not parse.', { cause });
      }
    });
  }
}

function hasContacts({ registrant, admin, tech }: WhoisRecord): boolean {
  return [registrant, admin, tech].some(
    ({ name, organization, country }) => (name ?? organization ?? country) !== null,
  );
}

/** The registrar's answer about the same domain: a link with `rel` "related" of RDAP's type. */
function relatedLink(answer: unknown): URL | undefined {
  for (const link of listOf(objectOf(answer)['links']).map(objectOf)) {
    const href = textOf(link['href']);
    const type = textOf(link['type']);
    if (link['rel'] !== 'related' || href === null || !URL.canParse(href)) continue;
    if (type === null || type.includes('rdap')) return new URL(href);
  }
  return undefined;
}
