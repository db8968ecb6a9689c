import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { responseHeader } from '#core/compatibility.ts';
import type { Problem } from '#core/problem.ts';
import type { AnswerCache, KeptAnswer, Place } from '../answers.ts';
import { type Guard, guardOf } from '../guard/guard.ts';
import type { Webhooks } from '../guard/webhook.ts';
import type { Attempt } from '../ledger/event.ts';
import type { Journal } from '../ledger/journal.ts';
import { openAiError, refusal } from '../problem.ts';
import { errorFrames } from '../protocols/frames.ts';
import type { Surface } from '../protocols/protocol.ts';
import type { Credential } from '../providers/provider.ts';
import { admit } from './admit.ts';
import type { Call } from './call.ts';
import type { Candidate } from './candidates.ts';
import { type CarryDeps, carry, type Progress } from './carry.ts';
import { pickCredential } from './credentials.ts';
import { type DecideDeps, type Decided, decide, demandCandidates, demandOwnIds } from './decide.ts';
import { AttemptFailure, aborted } from './dial.ts';
import { isFault, nextAfter, problemOf } from './failures.ts';
import type { Limits } from './limits.ts';
import { toFailure } from './pump.ts';
import { replay } from './replay.ts';
import type { Sink } from './sink.ts';
import { newEvent, Ticket } from './ticket.ts';
import { type RequestTrace, traceRequest } from './traces.ts';

export interface RelayDeps extends DecideDeps, CarryDeps {
  log: Logger;
  journal: Journal;
  /** Whether a request without a bound of its own gets less output rather than a refusal. */
  affordableOutput: boolean;
  limits: Limits;
  answers: AnswerCache;
  webhooks: Webhooks;
  /** Whether spans hold the messages of requests. */
  traceContent: boolean;
}

/** One request on its way, with what was decided about it. */
interface Passage {
  ticket: Ticket;
  decided: Decided;
  sink: Sink;
  guard: Guard | undefined;
  /** Where the answer is to be kept. */
  place: Place | undefined;
  trace: RequestTrace | undefined;
}

const attemptsPerProvider = 2;

/** Carries a request to a provider and its answer back, and settles it, whatever happens in between. */
export class Relay {
  readonly #deps: RelayDeps;

  constructor(deps: RelayDeps) {
    this.#deps = deps;
  }

  decide(call: Parameters<typeof decide>[1]): Promise<Decided> {
    return decide(this.#deps, call);
  }

  demandCandidates(call: Call, decided: Decided): Promise<void> {
    return demandCandidates(this.#deps, call, decided);
  }

  /** Answers the client. Failures before the first byte are thrown; all others were said inside the stream. */
  async handle(call: Call, sink: Sink): Promise<void> {
    const { limits, answers, webhooks, traceContent } = this.#deps;
    const attempts: Attempt[] = [];
    const event = newEvent(call);
    const trace = traceRequest(call, traceContent);
    let passage: Passage;
    try {
      const decided = await this.decide(call);
      for (const { provider, model, rule, reason } of decided.plan.skipped)
        attempts.push({ provider, model, tag: `skipped:${rule}`, error: reason });
      sink.setAll(limits.demand(call, decided.rules));
      await this.demandCandidates(call, decided);
      decided.ordered = demandOwnIds(call, decided.ordered);
      const guard = guardOf(decided.rules, webhooks);
      await guard?.request(call, sink.gone);
      const place = answers.placeOf(call, decided.models, decided.rules);
      const known = place && (await answers.find(place));
      if (known) {
        await replay(this.#deps, call, { event, attempts, known, sink });
        return trace?.end(event);
      }
      const admission = await admit(this.#deps, call, decided, event);
      const ticket = new Ticket({ ...this.#deps, call, event, admission, attempts });
      passage = { ticket, decided, sink, guard, place, trace };
    } catch (error) {
      this.#noteRefusal(event, attempts, error);
      trace?.end(event);
      throw error;
    }
    this.#greet(call, passage);
    await this.#tryAll(passage);
  }

  #greet({ requestId }: Call, { sink, ticket, place }: Passage): void {
    sink.setAll(responseHeader('x-mainstay-request-id', requestId));
    if (place) sink.headers.set('x-mainstay-cache', 'miss');
    const { warning } = ticket.admission;
    if (warning) sink.headers.set('x-mainstay-budget-warning', `${warning.percent}; id=${warning.budgetId}`);
  }

  #noteRefusal(event: Ticket['event'], attempts: Attempt[], error: unknown): void {
    const { journal, clock, log } = this.#deps;
    const said = openAiError(error as Problem);
    const now = clock.now();
    Object.assign(event, {
      status: 'error',
      errorCode: said.code,
      errorType: said.type,
      providerAttempts: attempts.length > 0 ? attempts : null,
      latencyMs: now - event.startedAt,
      completedAt: now,
    });
    journal.note(event).catch((err) => log.warn({ err }, 'A refused request was not written down.'));
  }

  #settle({ ticket, trace }: Passage, end: Parameters<Ticket['settle']>[0]): void {
    ticket.settle(end).catch((err) => this.#deps.log.warn({ err }, 'A request was not settled.'));
    trace?.end(ticket.event);
  }

  async #tryAll(passage: Passage): Promise<void> {
    const { timeouts } = this.#deps;
    const { sink, ticket, decided } = passage;
    const { ordered } = decided;
    const controller = new AbortController();
    const total = setTimeout(() => controller.abort('total'), timeouts.total);
    const leave = () => controller.abort('gone');
    if (sink.gone.aborted) leave();
    sink.gone.addEventListener('abort', leave, { once: true });
    let last: AttemptFailure | undefined;
    try {
      for (const [at, candidate] of ordered.entries()) {
        const isLast = at === ordered.length - 1;
        const failure = await this.#tryProvider(passage, candidate, controller.signal, isLast);
        if (!failure) return;
        last = failure;
        if (sink.hasOutput || nextAfter(failure) === 'stop' || controller.signal.aborted) break;
      }
    } finally {
      clearTimeout(total);
      sink.gone.removeEventListener('abort', leave);
    }
    const failure = last ?? aborted();
    if (sink.gone.aborted) {
      if (!ticket.isSettled)
        this.#settle(passage, {
          ...{ status: 'cancelled', candidate: undefined, usage: null },
          errorCode: 'client_disconnected',
        });
      return;
    }
    const problem = controller.signal.aborted
      ? refusal('provider_timeout', `The request took longer than ${timeouts.total} ms in all.`)
      : problemOf(failure);
    const said = openAiError(problem);
    if (!ticket.isSettled)
      this.#settle(passage, {
        ...{ status: 'error', candidate: undefined, usage: null },
        ...{ errorCode: said.code, errorType: said.type },
      });
    if (!sink.begun) throw problem;
    if (sink.isBroken) return;
    void sink.write(
      errorFrames(ticket.call.kind as Surface, problem, {
        responseId: '',
        model: ticket.call.model,
        sequence: 0,
      }),
    );
    sink.end();
  }

  /** Undefined: it answered. */
  async #tryProvider(
    passage: Passage,
    candidate: Candidate,
    signal: AbortSignal,
    isLast: boolean,
  ): Promise<AttemptFailure | undefined> {
    const { health } = this.#deps;
    const { ticket, sink } = passage;
    const used = new Set<string>();
    let failure: AttemptFailure | undefined;
    for (let attempt = 0; attempt < attemptsPerProvider + candidate.provider.credentials.length; attempt++) {
      const credential = pickCredential(candidate.provider, used);
      if (credential === undefined) return failure ?? skipped('All keys of the provider were refused.');
      const name = `${candidate.provider.id} ${candidate.upstream} ${credential?.id ?? ''}`;
      if (health.state(name) === 'open' && !(isLast && attempt === 0)) {
        ticket.attempts.push({
          provider: candidate.provider.slug,
          model: candidate.model,
          tag: 'skipped:breaker',
          error: 'It failed too often lately.',
        });
        failure ??= skipped('The provider failed too often lately.');
        if (!credential) return failure;
        used.add(credential.id);
        continue;
      }
      failure = await this.#attempt(passage, candidate, credential, signal, name);
      if (!failure || sink.hasOutput || signal.aborted) return failure;
      const next = nextAfter(failure);
      if (next === 'other_key' && credential) {
        used.add(credential.id);
        if (pickCredential(candidate.provider, used)) continue;
        used.delete(credential.id);
      }
      const mayRepeat = next === 'again' || (next === 'other_key' && failure.status === 429 && isLast);
      if (!mayRepeat || attempt + 1 >= attemptsPerProvider) return failure;
      const wait =
        failure.retryAfterSeconds === undefined
          ? 100 + Math.random() * 200
          : failure.retryAfterSeconds * 1000;
      if (wait > 10_000) return failure;
      await sleep(wait, undefined, { signal }).catch(() => {});
    }
    return failure;
  }

  async #attempt(
    passage: Passage,
    candidate: Candidate,
    credential: Credential | null,
    signal: AbortSignal,
    name: string,
  ): Promise<AttemptFailure | undefined> {
    const { health, clock, log, sticky, answers } = this.#deps;
    const { ticket, decided, sink, guard, place, trace } = passage;
    const { call } = ticket;
    const began = clock.now();
    const record: Attempt = {
      provider: candidate.provider.slug,
      model: candidate.model,
      startedMs: began - call.startedAt,
    };
    ticket.attempts.push(record);
    const progress: Progress = {
      ...{ reader: undefined, firstTokenMs: null, used: undefined },
    };
    const span = trace?.attempt(candidate);
    health.begin(name);
    try {
      const { rules } = decided;
      const keep = place && ((answer: KeptAnswer) => answers.keep(place, answer));
      const end = await carry(this.#deps, {
        ...{ ticket, candidate, credential, rules, guard, sink, signal, progress, keep },
      });
      record.durationMs = clock.now() - began;
      record.statusCode = 200;
      if (progress.firstTokenMs !== null) record.firstTokenMs = progress.firstTokenMs;
      health.end(name, false, candidate);
      const seconds = Math.max(0.001, record.durationMs / 1000);
      health.measured(
        candidate.provider,
        candidate.upstream,
        progress.firstTokenMs ?? record.durationMs,
        (end.usage?.output ?? 0) / seconds,
      );
      if (call.stickyKey !== null) sticky.set(call.stickyKey, candidate.provider.id);
      span?.end({ ...traced(progress), usage: end.usage, error: null });
      this.#settle(passage, { status: 'success', candidate, ...end, firstTokenMs: progress.firstTokenMs });
      return undefined;
    } catch (error) {
      const failure = toFailure(error as Error);
      record.durationMs = clock.now() - began;
      record.error = failure.message;
      record.tag = failure.tag;
      if (failure.status !== undefined) record.statusCode = failure.status;
      health.end(name, isFault(failure), candidate);
      span?.end({ ...traced(progress), error: failure });
      if (failure.cause)
        log.debug({ err: failure.cause, provider: candidate.provider.slug }, failure.message);
      this.#settleHalf(passage, candidate, failure, progress);
      return failure;
    }
  }

  /** Output was sent or refused, or the client left while the provider worked: that is paid for. */
  #settleHalf(passage: Passage, candidate: Candidate, failure: AttemptFailure, progress: Progress): void {
    const { ticket, sink } = passage;
    const isCancelled = failure.kind === 'aborted';
    if (!sink.hasOutput && !isCancelled && failure.kind !== 'denied') return;
    if (ticket.isSettled) return;
    const { reader, used } = progress;
    const said = openAiError(problemOf(failure));
    this.#settle(passage, {
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
