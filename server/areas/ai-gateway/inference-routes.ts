import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { notFound } from '#http/errors.ts';
import { identify } from './caller.ts';
import { registerCountTokens } from './media/count-tokens.ts';
import { registerMedia } from './media/routes.ts';
import { registerVideos, type VideoDeps } from './media/videos.ts';
import type { Kind } from './relay/call.ts';
import { bodyOf, readCall } from './relay/read.ts';
import {
  answers,
  type InferenceDeps,
  inferenceTags,
  jsonItems,
  relayCall,
  selfChecked,
  useProtocol,
} from './surface.ts';

/** The endpoints of OpenAI's and Anthropic's protocols that carry JSON to a provider. */
const endpoints: readonly { path: string; kind: Kind; operationId: string; summary: string }[] = [
  {
    path: '/chat/completions',
    kind: 'chat',
    operationId: 'createChatCompletion',
    summary: 'Create a chat completion',
  },
  { path: '/responses', kind: 'responses', operationId: 'createAiResponse', summary: 'Create a response' },
  {
    path: '/messages',
    kind: 'messages',
    operationId: 'createAiMessage',
    summary: "Create a message (Anthropic's protocol)",
  },
  { path: '/embeddings', kind: 'embeddings', operationId: 'createEmbedding', summary: 'Create embeddings' },
  {
    path: '/images/generations',
    kind: 'images',
    operationId: 'createAiImage',
    summary: 'Create images',
  },
];

export function inferenceRoutes(deps: InferenceDeps & VideoDeps): FastifyPluginAsync {
  return async (app) => {
    await app.register(
      async (scope) => {
        await registerProtocol(scope, deps);
      },
      { prefix: '/ai/v1' },
    );
  };
}

async function registerProtocol(scope: FastifyInstance, deps: InferenceDeps & VideoDeps): Promise<void> {
  const { callers, clock, relay, maxBodyBytes, log } = deps;
  const skinOf = useProtocol(scope, log);
  scope.setNotFoundHandler((request, reply) => skinOf(request)(notFound(request), request, reply));
  // Without it the pages of the dashboard, which are at every address that nothing else has, would answer.
  scope.get('/*', { config: { public: true }, schema: { hide: true } as object }, (request) => {
    throw notFound(request);
  });
  registerMedia(scope, deps);
  registerCountTokens(scope, deps);
  registerVideos(scope, deps);
  for (const { path, kind, operationId, summary } of endpoints) {
    scope.post(
      path,
      {
        bodyLimit: maxBodyBytes,
        config: {
          ...selfChecked('network:ai_gateway:chat'),
          jsonItems: kind === 'embeddings' ? jsonItems.embeddings : jsonItems.text,
        },
        schema: {
          operationId,
          summary,
          tags: inferenceTags,
          security: [{ bearer: [] }],
          response: answers,
        },
      },
      async (request, reply) => {
        const caller = await identify(callers, request, 'network:ai_gateway:chat');
        const call = readCall(request, caller, kind, bodyOf(request), clock.now());
        return relayCall(relay, call, request, reply);
      },
    );
  }
}
