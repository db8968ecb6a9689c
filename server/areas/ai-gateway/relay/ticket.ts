import type { Clock } from '#core/clock.ts';
import { costNanos, type Prices, ratesFor, tierPercent, toMicros } from '../catalogue/rates.ts';
import { noUsage, type Usage } from '../catalogue/usage.ts';
import type { Ask } from '../ledger/amounts.ts';
import type { Attempt, EventStatus, UsageEvent } from '../ledger/event.ts';
import type { Admission, Journal } from '../ledger/journal.ts';
import { type Call, estimatedTokens } from './call.ts';
import type { Candidate } from './candidates.ts';

/** The event of a request that has just arrived. */
export function newEvent(call: Call): UsageEvent {
  const { caller } = call;
  return {
    id: call.id,
    requestId: call.requestId,
    traceId: call.traceId,
    organizationId: caller.organizationId,
    applicationId: caller.applicationId,
    actorId: caller.auth.actor.id,
    actorType: caller.auth.actor.type,
    apiKeyId: caller.apiKeyId,
    authenticatedUserId: caller.userId,
    callerEndUserId: caller.endUserId,
    path: call.path,
    modelRequested: call.model,
    modelServed: null,
    provider: null,
    providerAttempts: null,
    status: 'pending',
    errorCode: null,
    errorType: null,
    inputTokens: 0,
    outputTokens: 0,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    usageSource: 'none',
    providerNanos: 0,
    billableNanos: 0,
    pricing: 'none',
    unitPrices: null,
    streaming: call.streaming,
    cacheHit: false,
    latencyMs: null,
    firstTokenMs: null,
    metadata: call.metadata,
    startedAt: call.startedAt,
    completedAt: null,
  };
}

/** The largest that the request may cost with any of these candidates, as a function of its output. */
export function askFor(call: Call, candidates: readonly Candidate[], bound: number | null): Ask {
  const percent = tierPercent(call.serviceTier);
  const writesCache = call.body.mentions('cache_control');
  let fixedNanos = 0;
  let perOutputPico = 0;
  let limit = 0;
  for (const { prices, entry } of candidates) {
    limit = Math.max(limit, entry?.maxOutputTokens ?? unknownLimit);
    if (!prices) continue;
    const rates = ratesFor(prices, call.inputBound);
    const dearest = Math.max(
      rates.input,
      rates.inputAudio ?? 0,
      rates.inputImage ?? 0,
      ...(writesCache ? [rates.cacheWrite ?? 0, rates.cacheWriteLong ?? 0] : []),
    );
    const worst: Prices = { ...prices, tiers: [{ above: 0, rates: { ...rates, input: dearest } }] };
    const usage: Usage = { ...noUsage, input: call.inputBound, ...call.units };
    fixedNanos = Math.max(fixedNanos, costNanos(worst, usage, percent));
    const output = Math.max(rates.output, rates.outputAudio ?? 0, rates.outputImage ?? 0);
    perOutputPico = Math.max(perOutputPico, Math.ceil((output * percent) / 100));
  }
  const most = call.maxOutput ?? bound ?? limit;
  const each = bound === null ? most : Math.min(most, bound);
  const hasOutput = call.kind === 'chat' || call.kind === 'responses' || call.kind === 'messages';
  const wanted = hasOutput ? each * call.choices : 0;
  return {
    fixedNanos,
    perOutputPico,
    inputTokens: call.inputBound,
    outputWanted: wanted,
    outputLeast: wanted,
  };
}

/** Of a model whose limit is not known. */
const unknownLimit = 131_072;

/** Settles a request once, whatever way it ends. */
export class Ticket {
  readonly call: Call;
  readonly event: UsageEvent;
  readonly admission: Admission;
  readonly attempts: Attempt[];
  readonly #journal: Journal;
  readonly #clock: Clock;
  #settled = false;

  constructor(deps: {
    call: Call;
    event: UsageEvent;
    admission: Admission;
    attempts: Attempt[];
    journal: Journal;
    clock: Clock;
  }) {
    this.call = deps.call;
    this.event = deps.event;
    this.admission = deps.admission;
    this.attempts = deps.attempts;
    this.#journal = deps.journal;
    this.#clock = deps.clock;
  }

  get isSettled(): boolean {
    return this.#settled;
  }

  /** In nano-dollars; null: the price is not known. */
  costOf(candidate: Candidate, usage: Usage): number | null {
    if (usage.reportedNanos !== null) return usage.reportedNanos;
    if (!candidate.prices) return null;
    return costNanos(candidate.prices, usage, tierPercent(this.call.serviceTier));
  }

  microsOf(candidate: Candidate, usage: Usage): number | null {
    const nanos = this.costOf(candidate, usage);
    return nanos === null ? null : toMicros(nanos);
  }

  /** What was used by an answer that stopped early: the last that the provider said, else a count of characters. */
  estimate(seen: Usage | null, characters: number): Usage {
    const { body, kind, units } = this.call;
    if (kind === 'speech' || kind === 'transcriptions' || kind === 'images' || kind === 'videos')
      return { ...noUsage, ...seen, ...units };
    const input = seen?.input || estimatedTokens(body.bytes.length - body.dataBytes);
    return { ...noUsage, ...seen, input, output: Math.max(seen?.output ?? 0, estimatedTokens(characters)) };
  }

  /** The row of the end, and what it was charged. Resolves when that is written. */
  settle(end: {
    status: EventStatus;
    candidate: Candidate | undefined;
    usage: Usage | null;
    isEstimate?: boolean;
    errorCode?: string | null;
    errorType?: string | null;
    firstTokenMs?: number | null;
  }): Promise<void> {
    if (this.#settled) return Promise.resolve();
    this.#settled = true;
    const { candidate, usage } = end;
    const now = this.#clock.now();
    const nanos = candidate && usage ? this.costOf(candidate, usage) : 0;
    const reported = usage?.reportedNanos ?? null;
    Object.assign(this.event, {
      modelServed: candidate?.model ?? null,
      provider: candidate?.provider.slug ?? null,
      providerAttempts: this.attempts.length > 0 ? this.attempts : null,
      status: end.status,
      errorCode: end.errorCode ?? null,
      errorType: end.errorType ?? null,
      inputTokens: usage?.input ?? 0,
      outputTokens: usage?.output ?? 0,
      cachedInputTokens: usage?.cacheRead ?? 0,
      cacheWriteTokens: (usage?.cacheWrite ?? 0) + (usage?.cacheWriteLong ?? 0),
      reasoningTokens: usage?.reasoning ?? 0,
      usageSource: usage === null ? 'none' : end.isEstimate ? 'estimated' : 'provider',
      providerNanos: nanos ?? 0,
      billableNanos: nanos ?? 0,
      pricing:
        usage === null ? 'none' : nanos === null ? 'unpriced' : reported === null ? 'list' : 'provider',
      unitPrices: candidate?.prices && usage ? unitPrices(candidate.prices, usage) : null,
      latencyMs: now - this.call.startedAt,
      firstTokenMs: end.firstTokenMs ?? null,
      completedAt: now,
    } satisfies Partial<UsageEvent>);
    const tokens = (usage?.input ?? 0) + (usage?.output ?? 0);
    return this.#journal.settle(this.event, this.admission.holds, { nanos: nanos ?? 0, requests: 1, tokens });
  }
}

function unitPrices(prices: Prices, usage: Usage): Record<string, number | string> {
  const rates = ratesFor(prices, usage.input);
  const shown: Record<string, number | string> = { source: prices.source };
  for (const [name, rate] of Object.entries(rates)) if (rate !== null && rate !== 0) shown[name] = rate;
  return shown;
}
