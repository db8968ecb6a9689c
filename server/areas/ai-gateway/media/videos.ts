import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Db } from '#core/db.ts';
import { type Caller, identify } from '../caller.ts';
import { badRequest } from '../json/scan.ts';
import { refusal } from '../problem.ts';
import type { Credential, Provider } from '../providers/provider.ts';
import type { Providers } from '../providers/service.ts';
import type { Call } from '../relay/call.ts';
import { keyHeaders } from '../relay/carry.ts';
import type { Dialer, Timeouts } from '../relay/dial.ts';
import { failureOfStatus, problemOf } from '../relay/failures.ts';
import { collect, toFailure } from '../relay/pump.ts';
import { bodyOf, readCall } from '../relay/read.ts';
import { answers, type InferenceDeps, inferenceTags, relayCall, selfChecked } from '../surface.ts';
import { formCall } from './form.ts';
import { MultipartBody } from './multipart.ts';
import { findObject } from './store.ts';

export interface VideoDeps {
  db: Db;
  providers: Providers;
  dialer: Dialer;
  timeouts: Timeouts;
  baseUrl: string;
}

const maxSeconds = 3600;
const defaultSeconds = 4;
const VideoPath = Type.Object({ videoId: Type.String({ minLength: 1, maxLength: 300 }) });

/** Videos are jobs: made by one request, asked for by others, on the credential that made them. Paid for when they are made. */
export function registerVideos(scope: FastifyInstance, deps: InferenceDeps & VideoDeps): void {
  const { callers, clock, relay, maxBodyBytes } = deps;
  const describe = (operationId: string, summary: string) => ({
    ...{ operationId, summary, tags: inferenceTags, security: [{ bearer: [] }], response: answers },
  });

  scope.post(
    '/videos',
    {
      bodyLimit: maxBodyBytes,
      config: selfChecked('network:ai_gateway:chat'),
      schema: describe('createVideo', 'Create a video'),
    },
    async (request, reply) => {
      const caller = await identify(callers, request, 'network:ai_gateway:chat');
      return relayCall(relay, readVideo(request, caller, clock.now()), request, reply);
    },
  );

  scope.get(
    '/videos/:videoId',
    {
      config: selfChecked('network:ai_gateway:chat'),
      schema: { ...describe('getVideo', 'Get a video'), params: VideoPath },
    },
    async (request) => {
      const { video, response, signal } = await ask(deps, request, '');
      const bytes = await collect(response, {
        maxBytes: 1024 * 1024,
        timeouts: deps.timeouts,
        stop: signal,
      }).catch((error: Error) => {
        throw problemOf(toFailure(error));
      });
      return withAddress(JSON.parse(bytes.toString('utf8')), `${deps.baseUrl}/ai/v1/videos/${video}/content`);
    },
  );

  scope.get(
    '/videos/:videoId/content',
    {
      config: selfChecked('network:ai_gateway:chat'),
      schema: { ...describe('getVideoContent', "Download a video's content"), params: VideoPath },
    },
    async (request, reply: FastifyReply) => {
      const { response } = await ask(deps, request, '/content');
      const { 'content-type': type = 'video/mp4', 'content-length': length } = response.headers;
      reply.type(type).serializer((body: unknown) => body as string);
      if (length !== undefined) reply.header('content-length', length);
      return reply.send(response);
    },
  );
}

function secondsOf(value: unknown): number {
  const seconds = Number(value ?? defaultSeconds);
  if (!(seconds > 0 && seconds <= maxSeconds))
    throw badRequest(`The field "seconds" must be a number up to ${maxSeconds}.`, 'seconds');
  return seconds;
}

/** JSON, or a form where a picture comes along. */
function readVideo(request: FastifyRequest, caller: Caller, now: number): Call {
  const type = request.headers['content-type'] ?? '';
  if (/^multipart\/form-data\b/i.test(type)) {
    const form = new MultipartBody(request.body as Buffer, type);
    return formCall(request, caller, {
      form,
      type,
      kind: 'videos',
      seconds: secondsOf(form.text('seconds')),
      now,
    });
  }
  const body = bodyOf(request);
  const seconds = secondsOf(body.get('seconds') ?? body.get('duration'));
  const call = readCall(request, caller, 'videos', body, now);
  return { ...call, units: { ...call.units, seconds } };
}

/** Asks the provider that made the video. Of another organization it is unknown. */
async function ask(deps: InferenceDeps & VideoDeps, request: FastifyRequest, rest: '' | '/content') {
  const caller = await identify(deps.callers, request, 'network:ai_gateway:chat');
  const { videoId: video } = request.params as { videoId: string };
  const row = await findObject(deps.db, caller.organizationId, video);
  const made =
    row && (await deps.providers.of(caller.organizationId)).find(({ id }) => id === row.provider_id);
  const credential = made?.credentials.find(({ id }) => id === row?.credential_id) ?? null;
  if (!row || !made || (row.credential_id !== null && !credential))
    throw refusal('model_not_found', 'There is no video with this id.', { code: 'not_found', param: 'id' });
  const signal = AbortSignal.timeout(deps.timeouts.total);
  const response = await send(deps, made, credential, `/videos/${encodeURIComponent(video)}${rest}`, signal);
  return { video, response, signal };
}

async function send(
  { dialer, timeouts }: VideoDeps,
  provider: Provider,
  credential: Credential | null,
  path: string,
  signal: AbortSignal,
) {
  try {
    const headers = keyHeaders(provider, credential);
    const response = await dialer.send(
      provider,
      { method: 'GET', path, headers, body: [] },
      { timeouts, stop: signal },
    );
    if (response.statusCode !== 200) throw await failureOfStatus(response);
    return response;
  } catch (error) {
    throw problemOf(toFailure(error as Error));
  }
}

/** Where the content is, as clients of this API read it. */
function withAddress(body: Record<string, unknown>, url: string): Record<string, unknown> {
  const duration = Number(body['seconds'] ?? body['duration']);
  const video = { url, ...(Number.isFinite(duration) ? { duration } : {}) };
  return body['status'] === 'completed' ? { ...body, video } : body;
}
