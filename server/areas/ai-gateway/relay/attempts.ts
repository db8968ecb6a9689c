import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { AnswerCache, KeptAnswer, Place } from '../answers.ts';
import type { Guard } from '../guard/guard.ts';
import type { Attempt } from '../ledger/event.ts';
import { openAiError } from '../problem.ts';
import type { Credential } from '../providers/provider.ts';
import type { Candidate } from './candidates.ts';
import { type CarryDeps, carry, type Progress } from './carry.ts';
import { pickCredential } from './credentials.ts';
import type { DecideDeps, Decided } from './decide.ts';
import { AttemptFailure } from './dial.ts';
import { isFault, nextAfter, problemOf } from './failures.ts';
import { toFailure } from './pump.ts';
import type { Sink } from './sink.ts';
import type { Stopper } from './stop.ts';
import type { Ticket } from './ticket.ts';
import type { RequestTrace } from './traces.ts';

export interface AttemptDeps extends CarryDeps, Pick<DecideDeps, 'health' | 'sticky'> {
  log: Logger;
  answers: AnswerCache;
}

/** One request on its way, with what was decided about it. */
export interface Passage {
  ticket: Ticket;
  decided: Decided;
  sink: Sink;
  guard: Guard | undefined;
  /** Where the answer is to be kept. */
  place: Place | undefined;
  trace: RequestTrace | undefined;
}

interface Trying {
  candidate: Candidate;
  /** Nobody is asked after it. */
  isLast: boolean;
  stop: Stopper;
}

const attemptsPerProvider = 2;
/** A provider that wants to be left alone for longer is not waited for. */
const longestWait = 10_000;

export function settle(
  { log }: Pick<AttemptDeps, 'log'>,
  { ticket, trace }: Passage,
  end: Parameters<Ticket['settle']>[0],
): void {
  ticket.settle(end).catch((err) => log.warn({ err }, 'A request was not settled.'));
  trace?.end(ticket.event);
}

/** Asks one provider, again and with its other keys where that may help. Undefined: it answered. */
export async function tryProvider(
  deps: AttemptDeps,
  passage: Passage,
  trying: Trying,
): Promise<AttemptFailure | undefined> {
  const { candidate, isLast, stop } = trying;
  const { ticket, sink } = passage;
  const used = new Set<string>();
  let failure: AttemptFailure | undefined;
  for (let attempt = 0; attempt < attemptsPerProvider + candidate.provider.credentials.length; attempt++) {
    const credential = pickCredential(candidate.provider, used);
    if (credential === undefined) return failure ?? skipped('All keys of the provider were refused.');
    const name = healthName(candidate, credential);
    if (deps.health.state(name) === 'open' && !(isLast && attempt === 0)) {
      ticket.attempts.push({
        ...{ provider: candidate.provider.slug, model: candidate.model },
        ...{ tag: 'skipped:breaker', error: 'It failed too often lately.' },
      });
      failure ??= skipped('The provider failed too often lately.');
      if (!credential) return failure;
      used.add(credential.id);
      continue;
    }
    failure = await ask(deps, passage, { candidate, credential, stop });
    if (!failure || sink.hasOutput || stop.aborted) return failure;
    const next = nextAfter(failure);
    if (next === 'other_key' && credential) {
      used.add(credential.id);
      if (pickCredential(candidate.provider, used)) continue;
      used.delete(credential.id);
    }
    const mayRepeat = next === 'again' || (next === 'other_key' && failure.status === 429 && isLast);
    if (!mayRepeat || attempt + 1 >= attemptsPerProvider) return failure;
    const wait = waitAfter(failure);
    if (wait > longestWait) return failure;
    await sleep(wait, undefined, { signal: stop.signal }).catch(() => {});
  }
  return failure;
}

function healthName({ provider, upstream }: Candidate, credential: Credential | null): string {
  return `${provider.id} ${upstream} ${credential?.id ?? ''}`;
}

/** Milliseconds. */
function waitAfter({ retryAfterSeconds }: AttemptFailure): number {
  return retryAfterSeconds === undefined ? 100 + Math.random() * 200 : retryAfterSeconds * 1000;
}

interface Asking {
  candidate: Candidate;
  credential: Credential | null;
  stop: Stopper;
}

/** Asks once, and writes down how that went. */
async function ask(
  deps: AttemptDeps,
  passage: Passage,
  { candidate, credential, stop }: Asking,
): Promise<AttemptFailure | undefined> {
  const { health, clock, log, sticky, answers } = deps;
  const { ticket, decided, sink, guard, place, trace } = passage;
  const { call } = ticket;
  const name = healthName(candidate, credential);
  const began = clock.now();
  const record: Attempt = {
    provider: candidate.provider.slug,
    model: candidate.model,
    startedMs: began - call.startedAt,
  };
  ticket.attempts.push(record);
  const progress: Progress = { reader: undefined, firstTokenMs: null, used: undefined };
  const span = trace?.attempt(candidate);
  health.begin(name);
  try {
    const keep = place && ((answer: KeptAnswer) => answers.keep(place, answer));
    const end = await carry(deps, {
      ...{ ticket, candidate, credential, guard, sink, stop, progress, keep },
      rules: decided.rules,
    });
    record.durationMs = clock.now() - began;
    record.statusCode = 200;
    const { firstTokenMs } = progress;
    if (firstTokenMs !== null) record.firstTokenMs = firstTokenMs;
    health.end(name, false, candidate);
    const seconds = Math.max(0.001, record.durationMs / 1000);
    const speed = (end.usage?.output ?? 0) / seconds;
    health.measured(candidate.provider, candidate.upstream, firstTokenMs ?? record.durationMs, speed);
    const key = decided.plan.candidates.length > 1 ? call.stickyKey() : null;
    if (key !== null) sticky.set(key, candidate.provider.id);
    span?.end({ ...traced(progress), usage: end.usage, error: null });
    settle(deps, passage, { status: 'success', candidate, ...end, firstTokenMs });
    return undefined;
  } catch (error) {
    const failure = toFailure(error as Error);
    record.durationMs = clock.now() - began;
    record.error = failure.message;
    record.tag = failure.tag;
    if (failure.status !== undefined) record.statusCode = failure.status;
    health.end(name, isFault(failure), candidate);
    span?.end({ ...traced(progress), error: failure });
    if (failure.cause) log.debug({ err: failure.cause, provider: candidate.provider.slug }, failure.message);
    settleHalf(deps, passage, { candidate, failure, progress });
    return failure;
  }
}

/** Output was sent or refused, or the client left while the provider worked: that is paid for. */
function settleHalf(
  deps: AttemptDeps,
  passage: Passage,
  { candidate, failure, progress }: { candidate: Candidate; failure: AttemptFailure; progress: Progress },
): void {
  const { ticket, sink } = passage;
  const isCancelled = failure.kind === 'aborted';
  if (!sink.hasOutput && !isCancelled && failure.kind !== 'denied') return;
  if (ticket.isSettled) return;
  const { reader, used } = progress;
  const said = openAiError(problemOf(failure));
  settle(deps, passage, {
    status: isCancelled ? 'cancelled' : 'error',
    candidate,
    ...(used ?? {
      usage: ticket.estimate(reader?.usage ?? null, reader?.characters ?? 0),
      isEstimate: true,
    }),
    errorCode: isCancelled ? 'client_disconnected' : said.code,
    errorType: isCancelled ? null : said.type,
    firstTokenMs: progress.firstTokenMs,
  });
}

function traced({ reader, used, firstTokenMs }: Progress) {
  return {
    usage: used?.usage ?? reader?.usage ?? null,
    finishReason: reader?.finishReason ?? null,
    firstTokenMs,
  };
}

function skipped(message: string): AttemptFailure {
  return new AttemptFailure('refused', 'unavailable', message);
}
