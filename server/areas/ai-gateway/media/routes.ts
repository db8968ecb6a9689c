import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { newId } from '#core/ids.ts';
import { Problem } from '#core/problem.ts';
import { type Caller, identify } from '../caller.ts';
import { JsonBody } from '../json/body.ts';
import { badRequest } from '../json/scan.ts';
import { type Call, readPreferences } from '../relay/call.ts';
import { bodyOf, modelOf, readCall } from '../relay/read.ts';
import { Sink } from '../relay/sink.ts';
import { answers, type InferenceDeps, inferenceTags, scoped } from '../surface.ts';
import { MultipartBody } from './multipart.ts';

/** At least so many bytes a second of any speech that providers take: what bounds the length of a file. */
const bytesPerSecond = 1000;
const maxInputCharacters = 1_000_000;

/** Speech and transcriptions: bytes out, and forms in. */
export function registerMedia(scope: FastifyInstance, deps: InferenceDeps): void {
  const { callers, clock, relay, maxBodyBytes } = deps;
  const describe = (operationId: string, summary: string) => ({
    ...{ operationId, summary, tags: inferenceTags, security: [{ bearer: [] }], response: answers },
    ...scoped('network:ai_gateway:chat'),
  });
  const serve =
    (read: (request: FastifyRequest, caller: Caller) => Call) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const caller = await identify(callers, request, 'network:ai_gateway:chat');
      const sink = new Sink(request, reply);
      try {
        await relay.handle(read(request, caller), sink);
      } catch (error) {
        reply.headers(Object.fromEntries(sink.headers));
        throw error;
      }
      return reply;
    };

  scope.post(
    '/audio/speech',
    {
      bodyLimit: maxBodyBytes,
      config: { public: true },
      schema: describe('createSpeech', 'Create speech from text'),
    },
    serve((request, caller) => {
      const body = bodyOf(request);
      const input = body.text('input');
      if (input === undefined || input === '') throw badRequest('The field "input" is missing.', 'input');
      if (input.length > maxInputCharacters)
        throw badRequest(`The field "input" is longer than ${maxInputCharacters} characters.`, 'input');
      const call = readCall(request, caller, 'speech', body, clock.now());
      return { ...call, units: { ...call.units, characters: input.length } };
    }),
  );

  scope.post(
    '/audio/transcriptions',
    {
      bodyLimit: maxBodyBytes,
      config: { public: true },
      schema: describe('createTranscription', 'Create a transcription of speech'),
    },
    serve((request, caller) => {
      const type = request.headers['content-type'] ?? '';
      if (!/^multipart\/form-data\b/i.test(type))
        throw new Problem(
          'unsupported_media_type',
          'This content type is not accepted here; send multipart/form-data.',
        );
      const form = new MultipartBody(request.body as Buffer, type);
      const size = form.fileBytes('file');
      if (!size) throw badRequest('The field "file" is missing or empty.', 'file');
      return transcription(request, caller, form, type, size, clock.now());
    }),
  );
}

function transcription(
  request: FastifyRequest,
  caller: Caller,
  form: MultipartBody,
  contentType: string,
  size: number,
  now: number,
): Call {
  const model = modelOf(form.text('model'));
  const provider = form.text('provider');
  let preferences: unknown;
  try {
    preferences = provider === undefined ? undefined : JSON.parse(provider);
  } catch {
    throw badRequest('The field "provider" is not JSON.', 'provider');
  }
  const seconds = Math.ceil(size / bytesPerSecond);
  return {
    id: newId(now),
    requestId: request.id,
    traceId: null,
    kind: 'transcriptions',
    path: request.routeOptions.url ?? '',
    caller,
    model,
    preferences: readPreferences(preferences),
    needs: { tools: false, vision: false, jsonSchema: false, contextTokens: 0 },
    streaming: false,
    wantsUsage: false,
    maxOutput: null,
    choices: 1,
    serviceTier: undefined,
    metadata: null,
    body: new JsonBody(Buffer.from(JSON.stringify({ model }))),
    form: { body: form, contentType },
    passedHeaders: {},
    inputBound: seconds * 20,
    units: { images: 0, seconds, characters: 0 },
    stickyKey: null,
    startedAt: now,
  };
}
