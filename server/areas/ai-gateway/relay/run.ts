import { responseHeader } from '#core/compatibility.ts';
import type { Problem } from '#core/problem.ts';
import { guardOf } from '../guard/guard.ts';
import type { Webhooks } from '../guard/webhook.ts';
import type { Attempt } from '../ledger/event.ts';
import type { Journal } from '../ledger/journal.ts';
import { openAiError, refusal } from '../problem.ts';
import { errorFrames } from '../protocols/frames.ts';
import type { Surface } from '../protocols/protocol.ts';
import { admit } from './admit.ts';
import { type AttemptDeps, type Passage, settle, tryProvider } from './attempts.ts';
import type { Call } from './call.ts';
import type { DecideDeps } from './decide.ts';
import { type Decided, decide, demandCandidates, demandOwnIds } from './decide.ts';
import { type AttemptFailure, aborted } from './dial.ts';
import { nextAfter, problemOf } from './failures.ts';
import type { Limits } from './limits.ts';
import { replay } from './replay.ts';
import type { Sink } from './sink.ts';
import { Stopper } from './stop.ts';
import { newEvent, Ticket } from './ticket.ts';
import { traceRequest } from './traces.ts';

export interface RelayDeps extends DecideDeps, AttemptDeps {
  journal: Journal;
  /** Whether a request without a bound of its own gets less output rather than a refusal. */
  affordableOutput: boolean;
  limits: Limits;
  webhooks: Webhooks;
  /** Whether spans hold the messages of requests. */
  traceContent: boolean;
}

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
      await guard?.request(call, sink.gone.signal);
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

  async #tryAll(passage: Passage): Promise<void> {
    const { sink, decided } = passage;
    const { ordered } = decided;
    const stopper = new Stopper();
    const stop = () => stopper.stop();
    const total = setTimeout(stop, this.#deps.timeouts.total);
    if (sink.gone.aborted) stop();
    sink.gone.addEventListener('abort', stop);
    let last: AttemptFailure | undefined;
    try {
      for (const [at, candidate] of ordered.entries()) {
        const isLast = at === ordered.length - 1;
        const failure = await tryProvider(this.#deps, passage, { candidate, isLast, stop: stopper });
        if (!failure) return;
        last = failure;
        if (sink.hasOutput || nextAfter(failure) === 'stop' || stopper.aborted) break;
      }
    } finally {
      clearTimeout(total);
      sink.gone.removeEventListener('abort', stop);
    }
    if (sink.gone.aborted) this.#leave(passage);
    else this.#fail(passage, stopper.aborted ? this.#tooLong() : problemOf(last ?? aborted()));
  }

  #tooLong(): Problem {
    const { total } = this.#deps.timeouts;
    return refusal('provider_timeout', `The request took longer than ${total} ms in all.`);
  }

  /** The client has gone before anything was used. */
  #leave(passage: Passage): void {
    if (passage.ticket.isSettled) return;
    settle(this.#deps, passage, {
      ...{ status: 'cancelled', candidate: undefined, usage: null },
      errorCode: 'client_disconnected',
    });
  }

  /** Nobody answered: that is thrown, or said inside the stream where one has begun. */
  #fail(passage: Passage, problem: Problem): void {
    const { ticket, sink } = passage;
    if (!ticket.isSettled) {
      const said = openAiError(problem);
      settle(this.#deps, passage, {
        ...{ status: 'error', candidate: undefined, usage: null },
        ...{ errorCode: said.code, errorType: said.type },
      });
    }
    if (!sink.begun) throw problem;
    if (sink.isBroken) return;
    const { kind, model } = ticket.call;
    void sink.write(errorFrames(kind as Surface, problem, { responseId: '', model, sequence: 0 }));
    sink.end();
  }
}
