import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Type } from 'typebox';
import type { Clock } from '#core/clock.ts';
import { responseHeader } from '#core/compatibility.ts';
import { actorTypes, type Scope } from '#core/scopes.ts';
import { problemSender } from '#http/errors.ts';
import { receiveJson } from '#http/json-work.ts';
import { Nullable } from '#http/schema.ts';
import type { CallerDeps } from './caller.ts';
import { jsonType } from './json/body.ts';
import { anthropicError, GatewayProblem, openAiError } from './problem.ts';
import type { Call } from './relay/call.ts';
import type { Relay } from './relay/run.ts';
import { Sink } from './relay/sink.ts';

export interface InferenceDeps {
  callers: CallerDeps;
  clock: Clock;
  log: Logger;
  relay: Relay;
  maxBodyBytes: number;
}

export const inferenceTags = ['AI gateway: inference'];
const failure = Type.Object(
  {
    error: Type.Object({
      message: Type.String(),
      type: Type.String(),
      param: Nullable(Type.String()),
      code: Nullable(Type.String()),
    }),
  },
  { title: 'AiError', description: 'An error in the format of the protocol.' },
);
export const answers = {
  200: Type.Unknown({ description: 'The response as defined by the protocol; a stream if requested.' }),
  '4xx': failure,
  '5xx': failure,
};

/** These routes authenticate by themselves; what they ask for is known all the same. */
export const selfChecked = (scope: Scope) => ({ public: true, scope, actors: actorTypes }) as const;

/**
 * How many values, names and containers a body may hold. A conversation of 10 000 messages whose content is in parts has
 * 100 000; of embeddings, OpenAI takes 300 000 tokens as numbers, and most of them are only passed over.
 */
export const jsonItems = { text: 150_000, embeddings: 400_000 };

/** Bodies as bytes, and errors in the shape of the protocol that the caller speaks. */
export function useProtocol(scope: FastifyInstance, log: Logger) {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(jsonType, (request, payload, done) => {
    receiveJson(request, payload, (failure, pieces, length) =>
      done(failure, failure ? undefined : Buffer.concat(pieces, length)),
    );
  });
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  const openAi = problemSender(log, (problem) => ({ body: { error: openAiError(problem) } }));
  const anthropic = problemSender(log, (problem) => ({ body: anthropicError(problem) }));
  const skinOf = (request: FastifyRequest) =>
    request.url.startsWith('/ai/v1/messages') ? anthropic : openAi;
  scope.setErrorHandler((error, request, reply) => {
    reply.headers(responseHeader('x-mainstay-request-id', request.id));
    const status = error instanceof GatewayProblem ? error.status : undefined;
    skinOf(request)(error, request, reply);
    if (status !== undefined) reply.code(status);
  });
  return skinOf;
}

/** Has the call carried out. What the answer would have said in its head belongs to a refusal, too. */
export async function relayCall(
  relay: Relay,
  call: Call,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const sink = new Sink(request, reply);
  try {
    await relay.handle(call, sink);
  } catch (error) {
    reply.headers(Object.fromEntries(sink.headers));
    throw error;
  }
  return reply;
}
