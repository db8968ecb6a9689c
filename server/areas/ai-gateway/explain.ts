import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import type { Tenancy } from '#accounts/organizations/service.ts';
import type { Clock } from '#core/clock.ts';
import { Problem } from '#core/problem.ts';
import { actorTypes } from '#core/scopes.ts';
import { Body, Id, Nullable, OneOf, OrganizationPath } from '#http/schema.ts';
import { toMicros } from './catalogue/rates.ts';
import { JsonBody } from './json/body.ts';
import { amountFor } from './ledger/amounts.ts';
import type { Kind } from './relay/call.ts';
import { readCall } from './relay/read.ts';
import type { Relay } from './relay/run.ts';
import { askFor } from './relay/ticket.ts';

const kinds: Record<string, Kind> = {
  '/chat/completions': 'chat',
  '/responses': 'responses',
  '/messages': 'messages',
  '/embeddings': 'embeddings',
  '/images/generations': 'images',
};

const Request = Body({
  path: Type.String({
    maxLength: 100,
    description: 'Such as `/chat/completions`, with or without `/ai/v1`.',
  }),
  body: Type.Record(Type.String(), Type.Unknown(), { description: 'The body that would be sent.' }),
  applicationId: Type.Optional(Nullable(Id)),
  apiKeyId: Type.Optional(Nullable(Id)),
});

const Explanation = Type.Object(
  {
    model: Type.String({
      description: 'The model that would serve the request, or the requested one if none would.',
    }),
    worstCaseMicros: Nullable(Type.Integer({ description: 'Maximum cost. null if unknown.' })),
    candidates: Type.Array(
      Type.Object({
        provider: Type.String(),
        model: Type.String(),
        verdict: OneOf(['chosen', 'fallback', 'skipped']),
        rule: Nullable(Type.String()),
        reason: Nullable(Type.String()),
      }),
    ),
  },
  { title: 'AiExplanation' },
);

export interface ExplainDeps {
  clock: Clock;
  relay: Relay;
  tenancy: Tenancy;
}

export function explainRoutes({ clock, relay, tenancy }: ExplainDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/organizations/:organizationId/ai-gateway/explain',
      {
        bodyLimit: 4 * 1024 * 1024,
        config: {
          scope: 'network:ai_gateway:policies:read',
          actors: actorTypes,
          role: 'MEMBER',
          product: 'ai-gateway',
        },
        schema: {
          operationId: 'explainAiRequest',
          summary: 'Explain how a request would be routed',
          tags: ['AI gateway'],
          params: OrganizationPath,
          body: Request,
          response: { 200: Explanation },
        },
      },
      async (request): Promise<Static<typeof Explanation>> => {
        const { path, body, applicationId, apiKeyId } = request.body;
        const place = path.replace(/^\/ai\/v1/, '');
        const kind = Object.hasOwn(kinds, place) ? kinds[place] : undefined;
        if (!kind)
          throw new Problem(
            'invalid_request',
            `The field "path" must be one of ${Object.keys(kinds).join(', ')}.`,
          );
        const { organizationId, auth } = request;
        if (applicationId && (await tenancy.organizationOf(applicationId.toLowerCase())) !== organizationId)
          throw new Problem('not_found', 'The organization has no application with this id.');
        const caller = {
          ...{ auth, organizationId, endUserId: null },
          applicationId: applicationId?.toLowerCase() ?? null,
          apiKeyId: apiKeyId?.toLowerCase() ?? null,
          userId: null,
        };
        const asked = new JsonBody(Buffer.from(JSON.stringify(body)));
        const call = readCall(request, caller, kind, asked, clock.now());
        const { ordered, plan, rules } = await relay.decide(call);
        const tried = new Set(ordered);
        const ask = askFor(call, ordered, rules.maxOutputTokens);
        const isPriced = ordered.length > 0 && ordered.every(({ prices }) => prices !== null);
        return {
          model: ordered[0]?.model ?? call.model,
          worstCaseMicros: isPriced ? toMicros(amountFor(ask, ask.outputWanted).nanos) : null,
          candidates: [
            ...ordered.map(({ provider, model }, at) => ({
              provider: provider.slug,
              model,
              verdict: at === 0 ? ('chosen' as const) : ('fallback' as const),
              rule: null,
              reason: null,
            })),
            ...plan.candidates
              .filter((candidate) => !tried.has(candidate))
              .map(({ provider, model }) => ({
                provider: provider.slug,
                model,
                verdict: 'skipped' as const,
                rule: 'allow_fallbacks',
                reason: 'The request or a policy allows no more fallbacks.',
              })),
            ...plan.skipped.map((one) => ({ ...one, verdict: 'skipped' as const })),
          ],
        };
      },
    );
  };
}
