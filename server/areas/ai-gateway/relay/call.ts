import type { Caller } from '../caller.ts';
import type { JsonBody } from '../json/body.ts';
import { badRequest } from '../json/scan.ts';
import type { MultipartBody } from '../media/multipart.ts';
import type { Surface } from '../protocols/protocol.ts';

/** What a request is about: the protocols of text, and the others. */
export type Kind = Surface | 'embeddings' | 'speech' | 'transcriptions' | 'images' | 'videos';

/** The `provider` object of a request: what the caller says about routing. Taken from the body, never sent on. */
export interface Preferences {
  order: readonly string[];
  allowFallbacks: boolean;
  requireZdr: boolean;
  restrictToOrder: boolean;
  sort: 'price' | 'latency' | 'throughput' | null;
}

const noPreferences: Preferences = {
  order: [],
  allowFallbacks: true,
  requireZdr: false,
  restrictToOrder: false,
  sort: null,
};

const sorts = ['price', 'latency', 'throughput'] as const;

export function readPreferences(value: unknown): Preferences {
  if (value === undefined || value === null) return noPreferences;
  if (typeof value !== 'object' || Array.isArray(value))
    throw badRequest('The field "provider" must be an object.', 'provider');
  const given = new Map(Object.entries(value));
  const known = ['order', 'allow_fallbacks', 'require_zdr', 'restrict_to_order', 'sort'];
  const unknown = [...given.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw badRequest(
      `The field "provider.${unknown.slice(0, 100)}" is not known here; there are ${known.join(', ')}.`,
      'provider',
    );
  const flag = (name: string, fallback: boolean) => {
    const found = given.get(name);
    if (found === undefined || found === null) return fallback;
    if (typeof found !== 'boolean')
      throw badRequest(`The field "provider.${name}" must be true or false.`, 'provider');
    return found;
  };
  const order = given.get('order') ?? [];
  if (!Array.isArray(order) || order.length > 50 || order.some((slug) => typeof slug !== 'string'))
    throw badRequest('The field "provider.order" must be a list of at most 50 provider slugs.', 'provider');
  const sort = given.get('sort') ?? null;
  if (sort !== null && !sorts.includes(sort))
    throw badRequest(`The field "provider.sort" must be one of ${sorts.join(', ')}.`, 'provider');
  return {
    order: order as string[],
    allowFallbacks: flag('allow_fallbacks', true),
    requireZdr: flag('require_zdr', false),
    restrictToOrder: flag('restrict_to_order', false),
    sort,
  };
}

/** What a model has to be able to do for the request. */
export interface Needs {
  tools: boolean;
  vision: boolean;
  jsonSchema: boolean;
  /** More than one answer to one question (`n`). */
  choices: boolean;
  /** Tokens, roughly: to pass over models whose context is far too small. */
  contextTokens: number;
}

/** One request, read. */
export interface Call {
  id: string;
  requestId: string;
  traceId: string | null;
  kind: Kind;
  path: string;
  caller: Caller;
  model: string;
  preferences: Preferences;
  needs: Needs;
  streaming: boolean;
  /** Chat: whether the client asked for the usage in its stream. */
  wantsUsage: boolean;
  /** The most output tokens that the caller asks for, over all choices; null: it does not say. */
  maxOutput: number | null;
  /** How many answers of that length. */
  choices: number;
  serviceTier: string | undefined;
  metadata: Record<string, unknown> | null;
  body: JsonBody;
  /** Of transcriptions: the form as it came; `body` holds no more than the model then. */
  form?: { body: MultipartBody; contentType: string };
  /** Of the client's, that the provider's own protocol knows. */
  passedHeaders: Record<string, string>;
  /** Tokens of the input at most; what media may count is in it. */
  inputBound: number;
  /** Of media that are billed apart from tokens. */
  units: { images: number; seconds: number; characters: number };
  /** Keeps a conversation where its cache is; null: nothing to go by. Costs a digest: for those who have a choice. */
  stickyKey(): string | null;
  /** For how long the caller asks that the answer be kept; null: it does not say. */
  cacheSeconds: number | null;
  startedAt: number;
}

/** Bodies of text count a token a byte at most; what is data counts by what providers make of pictures and sound. */
export function inputBoundOf(body: JsonBody, model: string): number {
  const text = body.bytes.length - body.dataBytes;
  if (
    body.dataParts === 0 &&
    !body.mentions('image_url') &&
    !body.mentions('input_image') &&
    !body.mentions('source')
  )
    return text;
  const pictures = countOf(body.bytes, '"image_url"') + countOf(body.bytes, '"input_image"') + body.dataParts;
  const audio = body.mentions('input_audio') || body.mentions('file_data') || body.mentions('document');
  return text + pictures * imageTokens(model) + (audio ? Math.ceil(body.dataBytes / 8) : 0);
}

/** The largest that an image counts: gpt-4o-mini bills tiles of 5 667 tokens; others stay below 5 000 an image. */
function imageTokens(model: string): number {
  return model.includes('4o-mini') ? 48_200 : 5000;
}

function countOf(bytes: Buffer, text: string): number {
  let found = 0;
  for (let at = bytes.indexOf(text); at >= 0 && found < 10_000; at = bytes.indexOf(text, at + text.length))
    found++;
  return found;
}

/** A guess at tokens from characters, for estimates: four to one. */
export function estimatedTokens(characters: number): number {
  return Math.ceil(characters / 4);
}
