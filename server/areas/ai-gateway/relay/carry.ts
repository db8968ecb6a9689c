import type { IncomingMessage } from 'node:http';
import type { Clock } from '#core/clock.ts';
import { responseHeader } from '#core/compatibility.ts';
import { type KeptAnswer, maxKeptCharacters } from '../answers.ts';
import type { Usage } from '../catalogue/usage.ts';
import type { Guard } from '../guard/guard.ts';
import { exchangeFor } from '../protocols/exchange.ts';
import type { Exchange, Reading, StreamReader, Surface } from '../protocols/protocol.ts';
import type { Credential, Provider } from '../providers/provider.ts';
import type { Rules } from '../rules/rules.ts';
import type { Call } from './call.ts';
import type { Candidate } from './candidates.ts';
import { AttemptFailure, aborted, type Dialer, idleTooLong, type Timeouts } from './dial.ts';
import { failureOfStatus } from './failures.ts';
import { collect, pump } from './pump.ts';
import type { Sink } from './sink.ts';
import type { Stopper } from './stop.ts';
import type { Ticket } from './ticket.ts';

export interface CarryDeps {
  clock: Clock;
  dialer: Dialer;
  timeouts: Timeouts;
  /** Remembers who made what the provider keeps. Resolves when that is durable. */
  remember(object: {
    id: string;
    call: Call;
    candidate: Candidate;
    credentialId: string | null;
  }): Promise<void>;
}

/** What was used, and whether that is our guess. */
export interface Used {
  usage: Usage | null;
  isEstimate: boolean;
}

/** How far an attempt has come; what is charged for one that fails follows from it. */
export interface Progress {
  reader: StreamReader | undefined;
  firstTokenMs: number | null;
  /** Of a whole answer that has arrived. */
  used: Used | undefined;
}

export interface Attempting {
  ticket: Ticket;
  candidate: Candidate;
  credential: Credential | null;
  rules: Rules;
  guard: Guard | undefined;
  sink: Sink;
  stop: Stopper;
  progress: Progress;
  /** Keeps the answer; undefined: nobody asks for that. */
  keep: ((answer: KeptAnswer) => Promise<void>) | undefined;
}

export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** Asks one provider once, and passes its answer on. Rejects with `AttemptFailure` and the like. */
export async function carry(deps: CarryDeps, attempt: Attempting): Promise<Used> {
  const { ticket, candidate, credential, rules, stop } = attempt;
  const { call } = ticket;
  const { provider } = candidate;
  const exchange = exchangeFor(call, candidate, { maxOutput: boundFor(ticket, rules) });
  const headers = {
    ...exchange.headers,
    ...keyHeaders(provider, credential),
    accept: call.streaming ? 'text/event-stream' : 'application/json',
  };
  const response = await deps.dialer.send(
    provider,
    { method: 'POST', path: exchange.path, headers, body: exchange.body },
    { timeouts: deps.timeouts, stop },
  );
  const status = response.statusCode ?? 0;
  if (status >= 300 || status < 200) throw await failureOfStatus(response);
  const isStream = response.headers['content-type']?.startsWith('text/event-stream') ?? false;
  if (call.streaming && isStream) return carryStream(deps, attempt, response, exchange);
  if (exchange.bytes) return carryBytes(deps, attempt, response, exchange.bytes.usage);
  return carryWhole(deps, attempt, response, exchange);
}

function readingOf({ ticket, candidate }: Attempting): Reading {
  return {
    model: candidate.model,
    wantsUsage: ticket.call.wantsUsage,
    costOf: (usage) => ticket.microsOf(candidate, usage),
  };
}

function servedBy({ model, provider }: Candidate): Record<string, string> {
  return { 'x-mainstay-model': model, 'x-mainstay-provider': provider.slug };
}

function costHeader({ ticket, candidate }: Attempting, usage: Usage | null): Record<string, string> {
  const micros = usage ? ticket.microsOf(candidate, usage) : null;
  return micros === null ? {} : responseHeader('x-mainstay-cost-micros', String(micros));
}

async function carryStream(
  { clock, timeouts }: CarryDeps,
  attempt: Attempting,
  response: IncomingMessage,
  exchange: Exchange,
): Promise<Used> {
  const { ticket, candidate, guard, sink, stop, progress, keep } = attempt;
  const { call } = ticket;
  const reader = exchange.stream(readingOf(attempt));
  progress.reader = reader;
  const surface = call.kind as Surface;
  const sent: string[] = [];
  let length = 0;
  await pump(response, {
    ...{ surface, model: candidate.model, reader, sink, timeouts },
    filter: guard?.stream(surface),
    begin() {
      if (reader.started) progress.firstTokenMs = clock.now() - call.startedAt;
      sink.head(200, { ...servedBy(candidate), ...streamHeaders });
    },
    ...(guard?.asksWebhooks ? { approve: (stream) => guard.approve(call, stream, stop.signal) } : {}),
    ...(keep
      ? {
          sent(text) {
            length += text.length;
            if (length <= maxKeptCharacters) sent.push(text);
          },
        }
      : {}),
  });
  if (length <= maxKeptCharacters) await keep?.(kept(candidate, 'stream', sent.join('')));
  sink.end();
  return usageOrEstimate(ticket, reader.usage, reader.characters);
}

function kept({ model, provider }: Candidate, contentType: string, body: string): KeptAnswer {
  return { contentType, model, provider: provider.slug, body };
}

async function carryWhole(
  { remember, timeouts }: CarryDeps,
  attempt: Attempting,
  response: IncomingMessage,
  exchange: Exchange,
): Promise<Used> {
  const { ticket, candidate, credential, guard, sink, stop, progress, keep } = attempt;
  const { call } = ticket;
  const bytes = await collect(response, { maxBytes: maxAnswerBytes, timeouts, stop });
  const answer = exchange.answer(bytes, readingOf(attempt));
  if (call.streaming)
    throw new AttemptFailure('malformed', 'no_stream', 'The provider answered without a stream.');
  if (call.kind === 'videos' && answer.objectId !== null) {
    const credentialId = credential?.id ?? null;
    await remember({ id: answer.objectId, call, candidate, credentialId });
  }
  progress.used = usageOrEstimate(ticket, answer.usage, answer.characters);
  const body = guard ? await guard.answer(call, answer.body, stop.signal) : answer.body;
  if (stop.aborted) throw aborted();
  sink.hasOutput = true;
  const type = call.form && response.headers['content-type'];
  const contentType = type || 'application/json; charset=utf-8';
  const headers = { ...servedBy(candidate), ...costHeader(attempt, progress.used.usage) };
  // Before it is sent: who asks again the next moment is to find it.
  await keep?.(kept(candidate, contentType, Buffer.concat(body).toString()));
  await sink.send(200, { ...headers, 'content-type': contentType }, body);
  return progress.used;
}

const maxAnswerBytes = 256 * 1024 * 1024;

/** Speech: as it comes, at the pace at which the client takes it. A slow client is no silence of the provider. */
async function carryBytes(
  { timeouts }: CarryDeps,
  attempt: Attempting,
  response: IncomingMessage,
  usage: Usage,
): Promise<Used> {
  const { candidate, sink } = attempt;
  sink.hasOutput = true;
  const contentType = response.headers['content-type'] ?? 'audio/mpeg';
  sink.head(200, { ...servedBy(candidate), ...costHeader(attempt, usage), 'content-type': contentType });
  let silence: AttemptFailure | undefined;
  const listen = () =>
    setTimeout(() => {
      silence = idleTooLong(timeouts);
      response.destroy(silence);
    }, timeouts.idle);
  let timer = listen();
  try {
    for await (const piece of response) {
      clearTimeout(timer);
      await sink.write(piece as Buffer);
      timer = listen();
    }
  } catch (cause) {
    if (sink.gone.aborted) throw aborted();
    // Nothing can be said inside of bytes: the connection is broken off, so that nobody takes it for the whole.
    sink.destroy();
    throw (
      silence ??
      new AttemptFailure('connection', 'answer_cut', 'The provider’s response ended early.', {
        cause,
      })
    );
  } finally {
    clearTimeout(timer);
  }
  if (sink.gone.aborted) throw aborted();
  sink.end();
  return { usage, isEstimate: false };
}

function usageOrEstimate(ticket: Ticket, usage: Usage | null, characters: number): Used {
  return usage
    ? { usage, isEstimate: false }
    : { usage: ticket.estimate(null, characters), isEstimate: true };
}

/** Tokens a choice: what the policy or a budget leaves of what the caller asked for; null: nothing has to be said. */
function boundFor({ call, admission }: Ticket, { maxOutputTokens }: Rules): number | null {
  const each = Math.floor(admission.output / call.choices);
  if (call.kind !== 'chat' && call.kind !== 'responses' && call.kind !== 'messages') return null;
  if (call.maxOutput !== null) return each < call.maxOutput ? each : null;
  return maxOutputTokens !== null || admission.isShrunk ? each : null;
}

export function keyHeaders({ dialect }: Provider, credential: Credential | null): Record<string, string> {
  if (!credential) return {};
  const { keyHeader } = dialect;
  return { [keyHeader]: keyHeader === 'authorization' ? `Bearer ${credential.apiKey}` : credential.apiKey };
}
