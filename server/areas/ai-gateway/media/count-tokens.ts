import type { FastifyInstance } from 'fastify';
import { identify } from '../caller.ts';
import { estimatedTokens } from '../relay/call.ts';
import { bodyOf, readCall } from '../relay/read.ts';
import { answers, type InferenceDeps, inferenceTags, jsonItems, selfChecked } from '../surface.ts';

/** Anthropic's count of tokens: as many as the text makes by its length, for whatever model. Costs nothing. */
export function registerCountTokens(scope: FastifyInstance, deps: InferenceDeps): void {
  const { callers, clock, relay, maxBodyBytes } = deps;
  scope.post(
    '/messages/count_tokens',
    {
      bodyLimit: maxBodyBytes,
      config: { ...selfChecked('network:ai_gateway:chat'), jsonItems: jsonItems.text },
      schema: {
        operationId: 'countAiMessageTokens',
        summary: 'Estimate the tokens of a message (Anthropic’s protocol)',
        tags: inferenceTags,
        security: [{ bearer: [] }],
        response: answers,
      },
    },
    async (request) => {
      const caller = await identify(callers, request, 'network:ai_gateway:chat');
      const body = bodyOf(request);
      const call = readCall(request, caller, 'messages', body, clock.now());
      await relay.demandCandidates(call, await relay.decide(call));
      return { input_tokens: estimatedTokens(body.bytes.length - body.dataBytes) + body.dataParts * 1600 };
    },
  );
}
