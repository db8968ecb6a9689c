import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { isoTime } from '#core/clock.ts';
import { Problem } from '#core/problem.ts';
import { type DomainName, isDomain, readDomain } from './domain-name.ts';
import { type Address, readAddress } from './email/address.ts';
import type { FeedData } from './feeds/data.ts';
import type { Overrides, OverridesInForce } from './overrides.ts';
import { feedList } from './render.ts';
import type { Reputation } from './reputation.ts';
import {
  DomainExplanation,
  DomainReputation,
  DomainsQuery,
  EmailReputation,
  EmailSuggestion,
  EmailsQuery,
  ReputationFeedList,
} from './schema.ts';
import { isWithheld } from './statuses.ts';

const everyone = ['user', 'organization', 'application', 'deployment', 'function'] as const;
const product = 'web-reputation';
const feedReaders = { scope: 'web-reputation:domain:get', actors: everyone, product } as const;
const domainReaders = { ...feedReaders, role: 'MEMBER', organizationInQuery: true } as const;
const emailReaders = { ...domainReaders, scope: 'web-reputation:email:get' } as const;
export const tags = ['Web reputation'];

export function reputationRoutes(deps: {
  feeds: FeedData;
  reputation: Reputation;
  overrides: Overrides;
}): FastifyPluginAsyncTypebox {
  const { feeds, reputation, overrides } = deps;
  const inForce = async ({ auth, organizationId }: FastifyRequest): Promise<OverridesInForce> => {
    if (!reputation.isReady) await reputation.ready();
    return overrides.holdingFor(organizationId || auth.actor.organizationId);
  };

  return async (app) => {
    app.get(
      '/web-reputation/domain',
      {
        config: domainReaders,
        preValidation: asList('domain'),
        schema: {
          operationId: 'getDomainReputation',
          summary: 'Look up the reputation of domains',
          tags,
          querystring: DomainsQuery,
          response: { 200: Type.Array(DomainReputation) },
        },
      },
      async (request, reply) => {
        const names = readDomains(request.query.domain);
        const { records, unanswered } = await reputation.domains(names, await inForce(request));
        return warned(reply, unanswered).send(records);
      },
    );

    app.get(
      '/web-reputation/domain/explanation',
      {
        config: domainReaders,
        preValidation: asList('domain'),
        schema: {
          operationId: 'explainDomainReputation',
          summary: 'Explain the reputation of domains',
          tags,
          querystring: DomainsQuery,
          response: { 200: Type.Array(DomainExplanation) },
        },
      },
      async (request) => {
        const names = readDomains(request.query.domain);
        const holding = await inForce(request);
        return names.map((domain) => explain(domain, holding));
      },
    );

    app.get(
      '/web-reputation/email',
      {
        config: emailReaders,
        preValidation: asList('email'),
        schema: {
          operationId: 'getEmailReputation',
          summary: 'Look up the reputation of e-mail addresses',
          tags,
          querystring: EmailsQuery,
          response: { 200: Type.Array(EmailReputation) },
        },
      },
      async (request, reply) => {
        const addresses = readAddresses(request.query.email);
        const { records, unanswered } = await reputation.emails(addresses, await inForce(request));
        return warned(reply, unanswered).send(records);
      },
    );

    app.get(
      '/web-reputation/email/suggestion',
      {
        config: emailReaders,
        preValidation: asList('email'),
        schema: {
          operationId: 'suggestEmail',
          summary: 'Suggest corrections of mistyped e-mail addresses',
          tags,
          querystring: EmailsQuery,
          response: { 200: Type.Array(EmailSuggestion) },
        },
      },
      async ({ query }) => {
        const addresses = readAddresses(query.email);
        if (!reputation.isReady) await reputation.ready();
        return addresses.map((address) => ({
          email: address.text,
          suggestion: reputation.suggestion(address),
        }));
      },
    );

    app.get(
      '/web-reputation/feeds',
      {
        config: feedReaders,
        schema: {
          operationId: 'listReputationFeeds',
          summary: 'List threat feeds',
          tags,
          response: { 200: ReputationFeedList },
        },
      },
      () => feedList(feeds),
    );
  };

  function explain(domain: DomainName, holding: OverridesInForce) {
    const { status, override, listed, imitation } = reputation.verdict(domain, holding);
    const source = override ? 'override' : listed ? 'feed' : imitation ? 'squat' : 'none';
    return {
      domain: domain.name,
      status,
      withholdingRecommended: isWithheld(status),
      source: source as 'override' | 'feed' | 'squat' | 'none',
      override: override
        ? {
            id: override.id,
            domain: override.domain,
            action: override.action,
            by: override.organization_id ? ('organization' as const) : ('operator' as const),
            note: override.note,
          }
        : null,
      listed: listed
        ? {
            name: listed.name,
            feeds: listed.feeds.map(({ feed, status: says, since }) => ({
              feed,
              status: says,
              since: isoTime(since).slice(0, 10),
            })),
          }
        : null,
      imitates: imitation ? { domain: imitation.of, technique: imitation.technique } : null,
    };
  }
}

/** A parameter that is sent once arrives as text, one that is repeated as a list. */
function asList(name: string) {
  return (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    const query = request.query as Record<string, unknown>;
    if (typeof query[name] === 'string') query[name] = [query[name]];
    done();
  };
}

/** The domains, each once. */
function readDomains(texts: readonly string[]): DomainName[] {
  const names = new Map<string, DomainName>();
  for (const text of texts) {
    const domain = readDomain(text);
    if (!isDomain(domain)) {
      throw new Problem('invalid_request', `The query parameter "domain": "${text}" ${domain.refused}.`);
    }
    names.set(domain.name, domain);
  }
  return [...names.values()];
}

/** The addresses, each once. One that is wrong is still one; a text without an @ is none. */
function readAddresses(texts: readonly string[]): Address[] {
  return [...new Set(texts)].map((text) => {
    const address = readAddress(text);
    if (address) return address;
    const sentence = `The query parameter "email": "${text}" is not an address; write one like name@example.com.`;
    throw new Problem('invalid_request', sentence);
  });
}

/** RFC 7234, 5.5: the MX flags of these names are what was last known. */
function warned(reply: FastifyReply, unanswered: readonly string[]): FastifyReply {
  if (unanswered.length > 0) reply.header('warning', `199 - "MX lookup failed for ${unanswered.join(', ')}"`);
  return reply;
}
