import type { FastifyRequest } from 'fastify';
import { newId } from '#core/ids.ts';
import type { Caller } from '../caller.ts';
import { JsonBody } from '../json/body.ts';
import { badRequest } from '../json/scan.ts';
import { type Call, readPreferences } from '../relay/call.ts';
import { modelOf } from '../relay/read.ts';
import type { MultipartBody } from './multipart.ts';

/** A request that came as a form. */
export function formCall(
  request: FastifyRequest,
  caller: Caller,
  options: {
    form: MultipartBody;
    type: string;
    kind: 'transcriptions' | 'videos';
    /** Of sound or pictures, at most. */
    seconds: number;
    now: number;
  },
): Call {
  const { form, type, kind, seconds, now } = options;
  const model = modelOf(form.text('model'));
  const provider = form.text('provider');
  let preferences: unknown;
  try {
    preferences = provider === undefined ? undefined : JSON.parse(provider);
  } catch {
    throw badRequest('The field "provider" is not JSON.', 'provider');
  }
  return {
    id: newId(now),
    requestId: request.id,
    traceId: null,
    kind,
    path: request.routeOptions.url ?? '',
    caller,
    model,
    preferences: readPreferences(preferences),
    needs: { tools: false, vision: false, jsonSchema: false, choices: false, contextTokens: 0 },
    streaming: false,
    wantsUsage: false,
    maxOutput: null,
    choices: 1,
    serviceTier: undefined,
    metadata: null,
    body: new JsonBody(Buffer.from(JSON.stringify({ model }))),
    form: { body: form, contentType: type },
    passedHeaders: {},
    inputBound: seconds * 20,
    units: { images: 0, seconds, characters: 0 },
    stickyKey: () => null,
    cacheSeconds: null,
    startedAt: now,
  };
}
