import { noUsage } from '../catalogue/usage.ts';
import type { Json } from '../json/body.ts';
import type { Call } from '../relay/call.ts';
import type { Candidate } from '../relay/candidates.ts';
import { AnthropicDecoder, fromAnthropic } from './anthropic-answer.ts';
import { toAnthropic } from './anthropic-request.ts';
import { haveThoughts, withThoughtParts } from './chat-content.ts';
import { ChatDecoder, chatResult } from './chat-decoder.ts';
import { ChatStream, chatAnswer, openAiJsonAnswer, withMember } from './chat-native.ts';
import { fromGemini, GeminiDecoder } from './gemini-answer.ts';
import { geminiEmbeddings } from './gemini-embeddings.ts';
import { toGemini } from './gemini-request.ts';
import {
  answerOf,
  Bridge,
  ChatEncoder,
  type ChatResult,
  type ChunkDecoder,
  type ChunkEncoder,
  withPlainResults,
} from './hub.ts';
import { chatFromMessages, MessagesEncoder, messageFromChat } from './messages-front.ts';
import { MessagesStream, messagesAnswer } from './messages-native.ts';
import {
  type Exchange,
  failureOf,
  jsonHeaders,
  parseForeign,
  type Reading,
  StreamFailure,
} from './protocol.ts';
import { ResponsesEncoder, responseFromChat } from './responses-answer.ts';
import { ResponsesStream, responsesAnswer } from './responses-native.ts';
import { chatFromResponses } from './responses-request.ts';

/** What the gateway decided about the output. */
export interface Bounds {
  /** Tokens a choice, to be written into the request; null: as the caller said. */
  maxOutput: number | null;
}

type Edits = Map<string, string | undefined>;

/** The request as this candidate takes it. Protocols that differ are translated by way of chat completions. */
export function exchangeFor(call: Call, candidate: Candidate, bounds: Bounds): Exchange {
  const { type, dialect } = candidate.provider;
  const isOpenAi = type !== 'anthropic' && type !== 'gemini';
  switch (call.kind) {
    case 'chat':
      return isOpenAi
        ? nativeChat(call, candidate, bounds)
        : translated(call, candidate, bounds, call.body.parsed());
    case 'responses':
      return dialect.responses
        ? nativeResponses(call, candidate, bounds)
        : translated(call, candidate, bounds, chatFromResponses(call.body.parsed()));
    case 'messages':
      return type === 'anthropic'
        ? nativeMessages(call, candidate, bounds)
        : translated(call, candidate, bounds, chatFromMessages(call.body.parsed()));
    case 'embeddings':
      return type === 'gemini' ? geminiEmbeddings(call, candidate) : nativeJson(call, candidate);
    case 'speech':
      return { ...nativeJson(call, candidate), bytes: { usage: { ...noUsage, ...call.units } } };
    case 'videos':
      return videos(call, candidate);
    case 'transcriptions':
      return transcription(call, candidate);
    default:
      return nativeJson(call, candidate);
  }
}

function common(call: Call, { upstream }: Candidate): Edits {
  const { body } = call;
  const edits: Edits = new Map();
  if (body.get('model') !== upstream) edits.set('model', JSON.stringify(upstream));
  if (body.has('provider')) edits.set('provider', undefined);
  return edits;
}

function nativeChat(call: Call, candidate: Candidate, { maxOutput }: Bounds): Exchange {
  const { body } = call;
  const { dialect, type } = candidate.provider;
  const edits = common(call, candidate);
  if (call.streaming && dialect.streamOptions && !call.wantsUsage) {
    const options = { ...body.get('stream_options'), include_usage: true };
    edits.set('stream_options', JSON.stringify(options));
  }
  if (maxOutput !== null) {
    const given = ['max_completion_tokens', 'max_tokens'].find((name) => typeof body.get(name) === 'number');
    const own = type === 'openai' || type === 'azure' ? 'max_completion_tokens' : 'max_tokens';
    edits.set(given ?? own, String(maxOutput));
  }
  for (const name of dialect.drop) if (body.has(name)) edits.set(name, undefined);
  if (dialect.thoughtParts && haveThoughts(body.get('messages')))
    edits.set('messages', JSON.stringify(withThoughtParts(body.get('messages'))));
  for (const [from, to] of Object.entries(dialect.rename)) {
    const value = edits.get(from) ?? (body.has(from) ? JSON.stringify(body.get(from)) : undefined);
    if (value === undefined) continue;
    edits.delete(from);
    if (body.has(from)) edits.set(from, undefined);
    edits.set(to, value);
  }
  return {
    path: '/chat/completions',
    headers: jsonHeaders,
    body: body.spliced(edits),
    answer: chatAnswer,
    stream: (reading) => new ChatStream(reading),
  };
}

function nativeResponses(call: Call, candidate: Candidate, { maxOutput }: Bounds): Exchange {
  const edits = common(call, candidate);
  if (maxOutput !== null) edits.set('max_output_tokens', String(maxOutput));
  return {
    path: '/responses',
    headers: jsonHeaders,
    body: call.body.spliced(edits),
    answer: responsesAnswer,
    stream: (reading) => new ResponsesStream(reading),
  };
}

const anthropicHeaders = { ...jsonHeaders, 'anthropic-version': '2023-06-01' };

function nativeMessages(call: Call, candidate: Candidate, { maxOutput }: Bounds): Exchange {
  const edits = common(call, candidate);
  if (maxOutput !== null) edits.set('max_tokens', String(maxOutput));
  return {
    path: '/messages',
    headers: { ...anthropicHeaders, ...call.passedHeaders },
    body: call.body.spliced(edits),
    answer: messagesAnswer,
    stream: (reading) => new MessagesStream(reading),
  };
}

const jsonPaths: Partial<Record<Call['kind'], string>> = {
  embeddings: '/embeddings',
  images: '/images/generations',
  speech: '/audio/speech',
  videos: '/videos',
};

function nativeJson(call: Call, candidate: Candidate): Exchange {
  return {
    path: jsonPaths[call.kind] ?? `/${call.kind}`,
    headers: jsonHeaders,
    body: call.body.spliced(common(call, candidate)),
    answer: openAiJsonAnswer,
    stream() {
      throw new StreamFailure('This endpoint does not stream.', { retryable: false });
    },
  };
}

/** A job: what it costs follows from what was asked for. */
function videos(call: Call, candidate: Candidate): Exchange {
  const { form } = call;
  const edits = new Map([
    ['model', candidate.upstream],
    ['provider', undefined],
  ]);
  const sent = form && { headers: { 'content-type': form.contentType }, body: form.body.spliced(edits) };
  return {
    ...nativeJson(call, candidate),
    ...sent,
    answer(bytes, reading) {
      const made = parseForeign(bytes.toString('utf8'));
      if (made?.error) throw failureOf(made.error);
      if (typeof made?.id !== 'string')
        throw new StreamFailure('The provider named no video.', {
          code: 'malformed_answer',
          retryable: false,
        });
      const usage = { ...noUsage, ...call.units };
      const body = withMember(bytes, 'cost_micros', reading.costOf(usage));
      return { body, usage, characters: 0, finishReason: null, objectId: made.id };
    },
  };
}

/** A form, with the model's name changed; what is answered may be JSON or plain text. */
function transcription(call: Call, { upstream }: Candidate): Exchange {
  const { body, contentType } = call.form as NonNullable<Call['form']>;
  return {
    path: '/audio/transcriptions',
    headers: { 'content-type': contentType },
    body: body.spliced(
      new Map([
        ['model', upstream],
        ['provider', undefined],
      ]),
    ),
    answer(bytes, reading) {
      if (bytes[0] !== 0x7b)
        return { body: [bytes], usage: null, characters: bytes.length, finishReason: null, objectId: null };
      const answer = openAiJsonAnswer(bytes, { ...reading, costOf: () => null });
      const { duration } = JSON.parse(bytes.toString('utf8'));
      const seconds = answer.usage?.seconds || (typeof duration === 'number' ? duration : 0);
      const usage = { ...noUsage, ...answer.usage, seconds };
      return { ...answer, body: withMember(bytes, 'cost_micros', reading.costOf(usage)), usage };
    },
    stream() {
      throw new StreamFailure('This endpoint does not stream.', { retryable: false });
    },
  };
}

/** By way of chat completions. */
function translated(call: Call, candidate: Candidate, bounds: Bounds, chat: Json): Exchange {
  const { model } = candidate;
  const request = call.kind === 'chat' ? undefined : call.body.parsed();
  const encoder = (reading: Reading): ChunkEncoder => {
    if (call.kind === 'messages') return new MessagesEncoder(model);
    return call.kind === 'responses' ? new ResponsesEncoder(request, model) : new ChatEncoder(reading);
  };
  const write = ({ completion, usage }: ChatResult): Json => {
    if (call.kind === 'messages') return messageFromChat(completion, model, usage);
    return call.kind === 'responses' ? responseFromChat(completion, request, model, usage) : completion;
  };
  const { path, headers, body, read, decoder } = backend(call, candidate, bounds, chat);
  return {
    ...{ path, headers, body },
    answer(bytes, { costOf }) {
      const result = read(bytes);
      return answerOf(write(result), result, result.usage ? costOf(result.usage) : null);
    },
    stream: (reading) => new Bridge(decoder(), encoder(reading), reading),
  };
}

interface Backend {
  path: string;
  headers: Record<string, string>;
  body: Buffer[];
  read(bytes: Buffer): ChatResult;
  decoder(): ChunkDecoder;
}

function backend(call: Call, candidate: Candidate, { maxOutput }: Bounds, chat: Json): Backend {
  const { provider, upstream, model, entry } = candidate;
  const json = (value: Json) => [Buffer.from(JSON.stringify(value))];
  if (provider.type === 'anthropic') {
    const modelLimit = entry?.maxOutputTokens ?? null;
    return {
      path: '/messages',
      headers: anthropicHeaders,
      body: json(toAnthropic(chat, { model: upstream, maxOutput, modelLimit })),
      read: (bytes) => fromAnthropic(bytes, model),
      decoder: () => new AnthropicDecoder(model),
    };
  }
  if (provider.type === 'gemini') {
    const action = call.streaming ? 'streamGenerateContent?alt=sse' : 'generateContent';
    return {
      path: `/models/${upstream.split('/').map(encodeURIComponent).join('/')}:${action}`,
      headers: jsonHeaders,
      body: json(toGemini(chat, { maxOutput, model: upstream })),
      read: (bytes) => fromGemini(bytes, model),
      decoder: () => new GeminiDecoder(model),
    };
  }
  const { provider: _, ...rest } = chat;
  const bound = maxOutput === null ? {} : { max_tokens: maxOutput };
  const usage =
    call.streaming && provider.dialect.streamOptions ? { stream_options: { include_usage: true } } : {};
  const plain = withPlainResults(rest.messages);
  const messages = provider.dialect.thoughtParts ? withThoughtParts(plain) : plain;
  const sent = { ...rest, messages, model: upstream, ...bound, ...usage };
  for (const name of provider.dialect.drop) delete sent[name];
  if (provider.type === 'openai' || provider.type === 'azure') {
    sent.max_completion_tokens = sent.max_tokens;
    delete sent.max_tokens;
  }
  return {
    path: '/chat/completions',
    headers: jsonHeaders,
    body: json(sent),
    read: chatResult,
    decoder: () => new ChatDecoder(),
  };
}
