import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Type } from 'typebox';
import type { Clock } from '#core/clock.ts';
import { responseHeader } from '#core/compatibility.ts';
import { Problem } from '#core/problem.ts';
import type { Scope } from '#core/scopes.ts';
import { problemSender } from '#http/errors.ts';
import { Nullable } from '#http/schema.ts';
import { type CallerDeps, identify } from './caller.ts';
import { anthropicError, GatewayProblem, openAiError } from './problem.ts';
import type { Kind } from './relay/call.ts';
import { bodyOf, readCall } from './relay/read.ts';
import type { Relay } from './relay/run.ts';
import { Sink } from './relay/sink.ts';

export interface InferenceDeps {
  callers: CallerDeps;
  clock: Clock;
  log: Logger;
  relay: Relay;
  maxBodyBytes: number;
}

/** The endpoints of OpenAI's and Anthropic's protocols that carry JSON to a provider. */
const endpoints: readonly { path: string; kind: Kind; operationId: string; summary: string }[] = [
  {
    path: '/chat/completions',
    kind: 'chat',
    operationId: 'createChatCompletion',
    summary: 'Create a chat completion',
  },
];

const inferenceTags = ['AI gateway: inference'];
const failure = Type.Object(
  {
    error: Type.Object({
      message: Type.String(),
      type: Type.String(),
      param: Nullable(Type.String()),
      code: Nullable(Type.String()),
    }),
  },
  { title: 'AiError', description: "A failure, in the shape of the protocol's own errors." },
);
const answers = {
  200: Type.Unknown({ description: 'As the protocol defines it; a stream where the body asks for one.' }),
  '4xx': failure,
  '5xx': failure,
};

/** These routes authenticate by themselves; the API description says what they ask for. */
const scoped = (scope: Scope): object => ({ 'x-scope': scope });

export function inferenceRoutes(deps: InferenceDeps): FastifyPluginAsync {
  return async (app) => {
    await app.register(
      async (scope) => {
        await registerProtocol(scope, deps);
      },
      { prefix: '/ai/v1' },
    );
  };
}

async function registerProtocol(scope: FastifyInstance, deps: InferenceDeps): Promise<void> {
  const { callers, clock, relay, maxBodyBytes, log } = deps;
  useProtocol(scope, log);
  for (const { path, kind, operationId, summary } of endpoints) {
    scope.post(
      path,
      {
        bodyLimit: maxBodyBytes,
        config: { public: true },
        schema: {
          operationId,
          summary,
          tags: inferenceTags,
          security: [{ bearer: [] }],
          ...scoped('network:ai_gateway:chat'),
          response: answers,
        },
      },
      async (request, reply) => {
        const caller = await identify(callers, request, 'network:ai_gateway:chat');
        const call = readCall(request, caller, kind, bodyOf(request), clock.now());
        const sink = new Sink(request, reply);
        try {
          await relay.handle(call, sink);
        } catch (error) {
          // What the answer would have said in its head belongs to a refusal, too.
          reply.headers(Object.fromEntries(sink.headers));
          throw error;
        }
        return reply;
      },
    );
  }
}

/** Bodies as bytes, and errors in the shape of the protocol that the caller speaks. */
function useProtocol(scope: FastifyInstance, log: Logger): void {
  scope.removeAllContentTypeParsers();
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
  scope.setNotFoundHandler((request, reply) => {
    const sentence = `Nothing is at ${request.method} ${request.url.split('?', 1)[0]?.slice(0, 200)}.`;
    skinOf(request)(new Problem('not_found', sentence), request, reply);
  });
}
