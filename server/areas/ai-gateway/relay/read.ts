import { hash } from 'node:crypto';
import { trace } from '@opentelemetry/api';
import type { FastifyRequest } from 'fastify';
import { newId } from '#core/ids.ts';
import { Problem } from '#core/problem.ts';
import { maxKeptSeconds } from '../answers.ts';
import type { Caller } from '../caller.ts';
import { JsonBody, jsonType } from '../json/body.ts';
import { badRequest } from '../json/scan.ts';
import { type Call, inputBoundOf, type Kind, readPreferences } from './call.ts';

const maxChoices = 128;
const maxTokens = 100_000_000;
const maxMessages = 100_000;

/** Fields that bound the output, by protocol; of several the first that is there counts. */
const boundFields: Partial<Record<Kind, readonly string[]>> = {
  chat: ['max_completion_tokens', 'max_tokens'],
  responses: ['max_output_tokens'],
  messages: ['max_tokens'],
};

export function bodyOf(request: FastifyRequest): JsonBody {
  const type = request.headers['content-type'] ?? '';
  const bytes = request.body as Buffer | undefined;
  if (!bytes || bytes.length === 0) throw badRequest('The body is empty; send a JSON object.');
  if (!jsonType.test(type))
    throw new Problem(
      'unsupported_media_type',
      'This content type is not accepted here; send application/json.',
    );
  return new JsonBody(bytes);
}

/** A request of one of the JSON endpoints, with what the gateway has to know of it checked. The rest is the provider's. */
export function readCall(
  request: FastifyRequest,
  caller: Caller,
  kind: Kind,
  body: JsonBody,
  now: number,
): Call {
  const model = modelOf(body.get('model'));
  const isText = kind === 'chat' || kind === 'responses' || kind === 'messages';
  if (isText) checkTurns(kind, body);
  const choices = kind === 'images' || kind === 'chat' ? (body.whole('n', 1, maxChoices) ?? 1) : 1;
  const bounds = (boundFields[kind] ?? []).map((name) => body.whole(name, 1, maxTokens));
  const maxOutput = bounds.find((bound) => bound !== undefined) ?? null;
  const options = kind === 'chat' ? body.get('stream_options') : undefined;
  if (options !== undefined && options !== null && typeof options !== 'object')
    throw badRequest('The field "stream_options" must be an object.', 'stream_options');
  const tools = body.get('tools');
  if (tools !== undefined && tools !== null && !Array.isArray(tools))
    throw badRequest('The field "tools" must be a list.', 'tools');
  const inputBound = inputBoundOf(body, model);
  return {
    id: newId(now),
    requestId: request.id,
    traceId: trace.getActiveSpan()?.spanContext().traceId ?? null,
    kind,
    path: request.routeOptions.url ?? '',
    caller,
    model,
    preferences: readPreferences(body.get('provider')),
    needs: {
      tools: Array.isArray(tools) && tools.length > 0,
      vision:
        isText &&
        ['image_url', 'input_image', 'image'].some((name) => body.mentions(name) && body.mentions('type')) &&
        hasImage(body),
      choices: kind === 'chat' && choices > 1,
      jsonSchema: body.mentions('json_schema') && (body.has('response_format') || body.has('text')),
      contextTokens: Math.ceil((body.bytes.length - body.dataBytes) / 4),
    },
    streaming: isText && body.truth('stream'),
    wantsUsage: options?.include_usage === true,
    maxOutput,
    choices,
    serviceTier: body.has('service_tier') ? body.text('service_tier') : undefined,
    metadata: metadataOf(body.get('metadata')),
    body,
    passedHeaders: passedOf(request),
    inputBound,
    units: { images: kind === 'images' ? choices : 0, seconds: 0, characters: 0 },
    stickyKey: isText ? once(() => stickyKeyOf(request, caller, model, body)) : () => null,
    cacheSeconds: cacheSecondsOf(request),
    startedAt: now,
  };
}

export function modelOf(value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '')
    throw badRequest('The field "model" is missing; send the id of a model.', 'model');
  if (value.length > 256) throw badRequest('The field "model" is longer than 256 characters.', 'model');
  // PostgreSQL keeps neither in text, and no model is named so.
  if (value.includes('\0') || !value.isWellFormed())
    throw badRequest('The field "model" contains invalid characters.', 'model');
  return value;
}

function checkTurns(kind: Kind, body: JsonBody): void {
  const name = kind === 'responses' ? 'input' : 'messages';
  const value = body.get(name);
  if (kind === 'responses' && (typeof value === 'string' || value === undefined)) return;
  if (!Array.isArray(value)) throw badRequest(`The field "${name}" must be a list.`, name);
  if (value.length === 0 && kind !== 'responses')
    throw badRequest(`The field "${name}" must hold at least one message.`, name);
  if (value.length > maxMessages)
    throw badRequest(`The field "${name}" holds more than ${maxMessages} messages.`, name);
  const odd = value.findIndex((item) => typeof item !== 'object' || item === null || Array.isArray(item));
  if (odd >= 0) throw badRequest(`The field "${name}.${odd}" must be an object.`, name);
}

function hasImage(body: JsonBody): boolean {
  const { bytes } = body;
  return (
    bytes.includes('"image_url"') ||
    bytes.includes('"input_image"') ||
    /"type"\s*:\s*"image"/.test(bytes.toString('latin1', 0, 1024 * 1024))
  );
}

function metadataOf(value: unknown): Record<string, unknown> | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const text = JSON.stringify(value);
  return text.length <= 16 * 1024 ? (value as Record<string, unknown>) : null;
}

function once(make: () => string): () => string {
  let made: string | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** What a conversation is told by: its own name, or how it began. Only of the same tenant. */
function stickyKeyOf(request: FastifyRequest, caller: Caller, model: string, body: JsonBody): string {
  const named = body.get('prompt_cache_key') ?? body.get('session_id') ?? request.headers['x-session-id'];
  const turns = body.get('messages') ?? body.get('input');
  const start = typeof named === 'string' ? named : Array.isArray(turns) ? turns.slice(0, 2) : turns;
  const text = JSON.stringify([caller.organizationId, model, body.get('system') ?? null, start ?? null]);
  return hash('sha1', text.slice(0, 64 * 1024), 'base64');
}

/** `X-Mainstay-Cache-Ttl`: seconds; 0 asks the provider in any case. */
function cacheSecondsOf({ headers }: FastifyRequest): number | null {
  const given = headers['x-mainstay-cache-ttl'];
  if (given === undefined) return null;
  if (typeof given !== 'string' || !/^\d{1,8}$/.test(given) || Number(given) > maxKeptSeconds)
    throw badRequest(
      `The header X-Mainstay-Cache-Ttl must be a whole number of seconds from 0 to ${maxKeptSeconds}.`,
    );
  return Number(given);
}

/** Beta features of Anthropic's protocol are asked for in a header. */
function passedOf({ headers }: FastifyRequest): Record<string, string> {
  const beta = headers['anthropic-beta'];
  return typeof beta === 'string' && beta.length < 1000 ? { 'anthropic-beta': beta } : {};
}
