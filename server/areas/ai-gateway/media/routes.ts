import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '#core/problem.ts';
import { type Caller, identify } from '../caller.ts';
import { badRequest } from '../json/scan.ts';
import type { Call } from '../relay/call.ts';
import { bodyOf, readCall } from '../relay/read.ts';
import { answers, type InferenceDeps, inferenceTags, relayCall, selfChecked } from '../surface.ts';
import { formCall } from './form.ts';
import { MultipartBody } from './multipart.ts';

/** At least so many bytes a second of any speech that providers take: what bounds the length of a file. */
const bytesPerSecond = 1000;
const maxInputCharacters = 1_000_000;

/** Speech and transcriptions: bytes out, and forms in. */
export function registerMedia(scope: FastifyInstance, deps: InferenceDeps): void {
  const { callers, clock, relay, maxBodyBytes } = deps;
  const describe = (operationId: string, summary: string) => ({
    ...{ operationId, summary, tags: inferenceTags, security: [{ bearer: [] }], response: answers },
  });
  const serve =
    (read: (request: FastifyRequest, caller: Caller) => Call) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const caller = await identify(callers, request, 'network:ai_gateway:chat');
      return relayCall(relay, read(request, caller), request, reply);
    };

  scope.post(
    '/audio/speech',
    {
      bodyLimit: maxBodyBytes,
      config: selfChecked('network:ai_gateway:chat'),
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
      config: selfChecked('network:ai_gateway:chat'),
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
      const seconds = Math.ceil(size / bytesPerSecond);
      return formCall(request, caller, { form, type, kind: 'transcriptions', seconds, now: clock.now() });
    }),
  );
}
