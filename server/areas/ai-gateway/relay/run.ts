import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Clock } from '#core/clock.ts';
import { responseHeader } from '#core/compatibility.ts';
import type { Problem } from '#core/problem.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { toMicros } from '../catalogue/rates.ts';
import type { Usage } from '../catalogue/usage.ts';
import { amountFor } from '../ledger/amounts.ts';
import type { Attempt } from '../ledger/event.ts';
import { BudgetExhausted, type Journal } from '../ledger/journal.ts';
import { GatewayProblem, openAiError, refusal } from '../problem.ts';
import { exchangeFor } from '../protocols/exchange.ts';
import { errorFrames } from '../protocols/frames.ts';
import type { Exchange, Reading, StreamReader, Surface } from '../protocols/protocol.ts';
import type { Credential, Provider, Providers } from '../providers/service.ts';
import { type RuleBook, type Rules, toWindow } from '../rules/rules.ts';
import type { BudgetRow } from '../rules/store.ts';
import type { Call } from './call.ts';
import {
  type Candidate,
  findCandidates,
  inOrder,
  nothingServes,
  type Plan,
  resolveName,
} from './candidates.ts';
import { AttemptFailure, aborted, type Dialer, type Timeouts } from './dial.ts';
import { failureOfStatus, isFault, nextAfter, problemOf } from './failures.ts';
import type { Health } from './health.ts';
import type { Limits } from './limits.ts';
import { nearestNames } from './nearest.ts';
import { collect, pump, toFailure } from './pump.ts';
import type { Sink } from './sink.ts';
import { askFor, newEvent, Ticket } from './ticket.ts';

export interface RelayDeps {
  clock: Clock;
  log: Logger;
  providers: Providers;
  catalogue: Catalogue;
  ruleBook: RuleBook;
  journal: Journal;
  dialer: Dialer;
  health: Health;
  timeouts: Timeouts;
  /** Whether a request without a bound of its own gets less output rather than a refusal. */
  affordableOutput: boolean;
  limits: Limits;
  /** Remembers who made what the provider keeps. Resolves when that is durable. */
  remember(object: {
    id: string;
    call: Call;
    candidate: Candidate;
    credentialId: string | null;
  }): Promise<void>;
  sticky: { get(key: string): string | undefined; set(key: string, providerId: string): unknown };
}

/** Everything that was decided before a provider is asked. */
export interface Decided {
  plan: Plan;
  ordered: Candidate[];
  models: readonly string[];
  rules: Rules;
  budgets: readonly BudgetRow[];
}

const maxAnswerBytes = 256 * 1024 * 1024;
const maxCandidates = 8;
const attemptsPerProvider = 2;

/** Carries a request to a provider and its answer back, and settles it, whatever happens in between. */
export class Relay {
  readonly #deps: RelayDeps;

  constructor(deps: RelayDeps) {
    this.#deps = deps;
  }

  /** Which candidates there are, in which order, and why others are none. Throws when there is none at all. */
  async decide(
    call: Pick<Call, 'caller' | 'model' | 'preferences' | 'needs' | 'kind' | 'stickyKey' | 'startedAt'>,
  ): Promise<Decided> {
    const { providers: all, catalogue: book, ruleBook, health, sticky } = this.#deps;
    const { caller, preferences } = call;
    const rules = await ruleBook.rules(caller);
    const budgets = await ruleBook.budgets(caller);
    const providers = await all.of(caller.organizationId);
    const catalogue = await book.now();
    const alias = await ruleBook.alias(caller.organizationId, call.model);
    const models = [
      ...new Set((alias ?? [call.model]).flatMap((name) => resolveName(name, providers, catalogue))),
    ];
    if (!alias && models.length > 1)
      throw refusal(
        'model_not_found',
        `"${call.model}" names several models: ${models.slice(0, 10).join(', ')}. Send one of these.`,
        { param: 'model' },
      );
    const hasCostBudget = budgets.some(
      (row) => row.max_cost_micros !== null || row.max_request_cost_micros !== null,
    );
    const plan = findCandidates(models, {
      ...call,
      providers,
      catalogue,
      rules,
      hasCostBudget,
      now: call.startedAt,
    });
    const stuck = call.stickyKey === null ? undefined : sticky.get(call.stickyKey);
    let ordered = inOrder(plan.candidates, models, preferences, health, stuck);
    if (!preferences.allowFallbacks || !rules.allowFallbacks) ordered = ordered.slice(0, 1);
    return { plan, ordered: ordered.slice(0, maxCandidates), models, rules, budgets };
  }

  /** Throws the refusal of a request that nothing can serve. */
  async demandCandidates(
    call: Pick<Call, 'caller' | 'model'>,
    { ordered, models, plan }: Decided,
  ): Promise<void> {
    if (ordered.length > 0) return;
    const { providers, catalogue, ruleBook } = this.#deps;
    const snapshot = await catalogue.now();
    const visible = await providers.of(call.caller.organizationId);
    const aliases = await ruleBook.aliases(call.caller.organizationId);
    const isCatalogued = models.some((model) => snapshot.get(model) !== undefined);
    if (plan.skipped.length === 0 && isCatalogued)
      throw refusal(
        'no_provider',
        `No provider here serves "${call.model}". An operator, or an admin of the organization, can add one.`,
      );
    throw nothingServes(call.model, models, plan.skipped, () =>
      nearestNames(call.model, visible, snapshot, aliases),
    );
  }

  /** Answers the client. Failures before the first byte are thrown; all others were said inside the stream. */
  async handle(call: Call, sink: Sink): Promise<void> {
    const { journal, clock } = this.#deps;
    const attempts: Attempt[] = [];
    const event = newEvent(call);
    let ticket: Ticket;
    let decided: Decided;
    try {
      decided = await this.decide(call);
      for (const { provider, model, rule, reason } of decided.plan.skipped)
        attempts.push({ provider, model, tag: `skipped:${rule}`, error: reason });
      sink.setAll(this.#deps.limits.demand(call, decided.rules));
      await this.demandCandidates(call, decided);
      decided.ordered = demandOwnIds(call, decided.ordered);
      const admission = await this.#admit(call, decided, event);
      ticket = new Ticket({ call, event, admission, attempts, journal, now: () => clock.now() });
    } catch (error) {
      this.#noteRefusal(event, attempts, error);
      throw error;
    }
    this.#greet(call, sink, ticket);
    await this.#tryAll(ticket, decided, sink);
  }

  #greet(call: Call, sink: Sink, { admission }: Ticket): void {
    sink.setAll(responseHeader('x-mainstay-request-id', call.requestId));
    const { warning } = admission;
    if (warning) sink.headers.set('x-mainstay-budget-warning', `${warning.percent}; id=${warning.budgetId}`);
  }

  async #admit(call: Call, { ordered, rules, budgets }: Decided, event: Ticket['event']) {
    const { journal, affordableOutput } = this.#deps;
    const ask = askFor(call, ordered, rules.maxOutputTokens);
    const mayShrink = affordableOutput && call.maxOutput === null && ask.outputWanted > 0;
    let least = mayShrink ? Math.min(ask.outputWanted, call.choices) : ask.outputWanted;
    let wanted = ask.outputWanted;
    for (const row of budgets) {
      if (row.max_request_cost_micros === null) continue;
      const most = row.max_request_cost_micros * 1000;
      if (amountFor(ask, wanted).nanos <= most) continue;
      const paid =
        ask.perOutputPico === 0 ? -1 : Math.floor(((most - ask.fixedNanos) * 1000) / ask.perOutputPico);
      if (paid < least)
        throw refusal(
          'budget_exceeded',
          `This request could cost ${toMicros(amountFor(ask, least).nanos)} micro-dollars, and a budget allows ${row.max_request_cost_micros} for one request (maxRequestCostMicros of budget ${row.id}). Send less, bound the output, or ask an admin of the organization.`,
        );
      wanted = paid;
    }
    least = Math.min(least, wanted);
    const windows = budgets
      .filter((row) => row.max_cost_micros !== null || row.max_requests !== null || row.max_tokens !== null)
      .map((row) => toWindow(row, call.startedAt));
    try {
      const admission = await journal.admit(
        event,
        { ...ask, outputWanted: wanted, outputLeast: least },
        windows,
      );
      return { ...admission, isShrunk: admission.output < ask.outputWanted };
    } catch (error) {
      if (!(error instanceof BudgetExhausted)) throw error;
      const row = budgets.find(({ id }) => id === error.window.budgetId) as BudgetRow;
      throw budgetRefusal(row, error, toMicros(amountFor(ask, least).nanos));
    }
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

  async #tryAll(ticket: Ticket, { ordered, rules }: Decided, sink: Sink): Promise<void> {
    const { timeouts, log } = this.#deps;
    const controller = new AbortController();
    const total = setTimeout(() => controller.abort('total'), timeouts.total);
    const leave = () => controller.abort('gone');
    if (sink.gone.aborted) leave();
    sink.gone.addEventListener('abort', leave, { once: true });
    let last: AttemptFailure | undefined;
    try {
      for (const [at, candidate] of ordered.entries()) {
        const isLast = at === ordered.length - 1;
        const failure = await this.#tryProvider(ticket, candidate, rules, sink, controller.signal, isLast);
        if (!failure) return;
        last = failure;
        if (sink.hasOutput || nextAfter(failure) === 'stop' || controller.signal.aborted) break;
      }
    } finally {
      clearTimeout(total);
      sink.gone.removeEventListener('abort', leave);
    }
    const failure = last ?? aborted();
    if (sink.gone.aborted) return this.#cancelled(ticket);
    const problem = controller.signal.aborted
      ? refusal('provider_timeout', `The request took longer than ${timeouts.total} ms in all.`)
      : problemOf(failure);
    const said = openAiError(problem);
    const settled = ticket.settle({
      status: 'error',
      candidate: undefined,
      usage: null,
      errorCode: said.code,
      errorType: said.type,
    });
    settled.catch((err) => log.warn({ err }, 'A failed request was not settled.'));
    if (!sink.begun) throw problem;
    void sink.write(
      errorFrames(ticket.call.kind as Surface, problem, {
        responseId: '',
        model: ticket.call.model,
        sequence: 0,
      }),
    );
    sink.end();
  }

  #cancelled(ticket: Ticket): void {
    ticket
      .settle({ status: 'cancelled', candidate: undefined, usage: null, errorCode: 'client_disconnected' })
      .catch((err) => this.#deps.log.warn({ err }, 'A cancelled request was not settled.'));
  }

  /** Undefined: it answered. */
  async #tryProvider(
    ticket: Ticket,
    candidate: Candidate,
    rules: Rules,
    sink: Sink,
    signal: AbortSignal,
    isLast: boolean,
  ): Promise<AttemptFailure | undefined> {
    const { health } = this.#deps;
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
      failure = await this.#attempt(ticket, candidate, credential, rules, sink, signal, name);
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
    ticket: Ticket,
    candidate: Candidate,
    credential: Credential | null,
    rules: Rules,
    sink: Sink,
    signal: AbortSignal,
    name: string,
  ): Promise<AttemptFailure | undefined> {
    const { health, clock, log, sticky } = this.#deps;
    const { call } = ticket;
    const began = clock.now();
    const record: Attempt = {
      provider: candidate.provider.slug,
      model: candidate.model,
      startedMs: began - call.startedAt,
    };
    ticket.attempts.push(record);
    const progress: Progress = { reader: undefined, firstTokenMs: null };
    health.begin(name);
    try {
      const exchange = exchangeFor(call, candidate, { maxOutput: boundFor(ticket, rules) });
      const end = await this.#exchange(ticket, candidate, credential, exchange, sink, signal, progress);
      record.durationMs = clock.now() - began;
      record.statusCode = 200;
      if (progress.firstTokenMs !== null) record.firstTokenMs = progress.firstTokenMs;
      health.end(name, false);
      const seconds = Math.max(0.001, record.durationMs / 1000);
      health.measured(
        candidate.provider,
        candidate.upstream,
        progress.firstTokenMs ?? record.durationMs,
        (end.usage?.output ?? 0) / seconds,
      );
      if (call.stickyKey !== null) sticky.set(call.stickyKey, candidate.provider.id);
      ticket
        .settle({ status: 'success', candidate, ...end, firstTokenMs: progress.firstTokenMs })
        .catch((err) => log.warn({ err }, 'A request was not settled.'));
      return undefined;
    } catch (error) {
      const failure = toFailure(error as Error);
      record.durationMs = clock.now() - began;
      record.error = failure.message;
      record.tag = failure.tag;
      if (failure.status !== undefined) record.statusCode = failure.status;
      health.end(name, isFault(failure));
      if (failure.cause)
        log.debug({ err: failure.cause, provider: candidate.provider.slug }, failure.message);
      this.#settleHalf(ticket, candidate, failure, progress, sink);
      return failure;
    }
  }

  /** Output was sent, or the client left while the provider worked: that is paid for. */
  #settleHalf(
    ticket: Ticket,
    candidate: Candidate,
    failure: AttemptFailure,
    progress: Progress,
    sink: Sink,
  ): void {
    const isCancelled = failure.kind === 'aborted';
    if (!sink.hasOutput && !isCancelled) return;
    const { reader } = progress;
    const said = openAiError(problemOf(failure));
    ticket
      .settle({
        status: isCancelled ? 'cancelled' : 'error',
        candidate,
        usage: ticket.estimate(reader?.usage ?? null, reader?.characters ?? 0),
        isEstimate: true,
        errorCode: isCancelled ? 'client_disconnected' : said.code,
        errorType: isCancelled ? null : said.type,
        firstTokenMs: progress.firstTokenMs,
      })
      .catch((err) => this.#deps.log.warn({ err }, 'A request was not settled.'));
  }

  async #exchange(
    ticket: Ticket,
    candidate: Candidate,
    credential: Credential | null,
    exchange: Exchange,
    sink: Sink,
    signal: AbortSignal,
    progress: Progress,
  ): Promise<{ usage: Usage | null; isEstimate: boolean }> {
    const { dialer, timeouts, clock } = this.#deps;
    const { call } = ticket;
    const { provider } = candidate;
    const headers = {
      ...exchange.headers,
      ...keyHeaders(provider, credential),
      accept: call.streaming ? 'text/event-stream' : 'application/json',
    };
    const response = await dialer.send(
      provider,
      { method: 'POST', path: exchange.path, headers, body: exchange.body },
      { timeouts, signal },
    );
    const status = response.statusCode ?? 0;
    if (status >= 300 || status < 200) throw await failureOfStatus(response);
    const reading: Reading = {
      model: candidate.model,
      wantsUsage: call.wantsUsage,
      costOf: (usage) => ticket.microsOf(candidate, usage),
    };
    const served = { 'x-mainstay-model': candidate.model, 'x-mainstay-provider': provider.slug };
    const isStream = response.headers['content-type']?.startsWith('text/event-stream') ?? false;
    if (call.streaming && isStream) {
      const reader = exchange.stream(reading);
      progress.reader = reader;
      await pump(response, {
        ...{ surface: call.kind as Surface, reader, sink, timeouts },
        begin() {
          if (reader.started) progress.firstTokenMs = clock.now() - call.startedAt;
          sink.head(200, { ...served, ...streamHeaders });
        },
      });
      sink.end();
      return usageOrEstimate(ticket, reader.usage, reader.characters);
    }
    if (exchange.bytes)
      return this.#passBytes(ticket, candidate, response, exchange.bytes.usage, served, sink);
    const bytes = await collect(response, { maxBytes: maxAnswerBytes, timeouts, gone: signal });
    const answer = exchange.answer(bytes, reading);
    if (call.streaming)
      throw new AttemptFailure('malformed', 'no_stream', 'The provider answered without a stream.');
    if (call.kind === 'videos' && answer.objectId !== null) {
      const credentialId = credential?.id ?? null;
      await this.#deps.remember({ id: answer.objectId, call, candidate, credentialId });
    }
    const end = usageOrEstimate(ticket, answer.usage, answer.characters);
    const micros = end.usage ? ticket.microsOf(candidate, end.usage) : null;
    const cost = micros === null ? {} : responseHeader('x-mainstay-cost-micros', String(micros));
    sink.hasOutput = true;
    const type = call.form && response.headers['content-type'];
    const contentType = type || 'application/json; charset=utf-8';
    await sink.send(200, { ...served, ...cost, 'content-type': contentType }, answer.body);
    return end;
  }

  /** Speech: as it comes, at the pace at which the client takes it. */
  async #passBytes(
    ticket: Ticket,
    candidate: Candidate,
    response: IncomingMessage,
    usage: Usage,
    served: Record<string, string>,
    sink: Sink,
  ): Promise<{ usage: Usage; isEstimate: boolean }> {
    const micros = ticket.microsOf(candidate, usage);
    const cost = micros === null ? {} : responseHeader('x-mainstay-cost-micros', String(micros));
    sink.hasOutput = true;
    sink.head(200, { ...served, ...cost, 'content-type': response.headers['content-type'] ?? 'audio/mpeg' });
    try {
      for await (const piece of response) await sink.write(piece as Buffer);
    } catch (cause) {
      // Nothing can be said inside of bytes: the connection is broken off, so that nobody takes it for the whole.
      sink.destroy();
      throw new AttemptFailure('connection', 'answer_cut', 'The provider ended its answer before its end.', {
        cause,
      });
    }
    if (sink.gone.aborted) throw aborted();
    sink.end();
    return { usage, isEstimate: false };
  }
}

const idFields = ['file_id', 'file_ids', 'vector_store_ids', 'item_reference', 'container_id'];

/**
 * Ids that a provider made are known to whoever holds the credential that made them. Behind a credential that all
 * organizations share they would open what others made, so they are for an organization's own providers alone.
 */
function demandOwnIds({ body }: Call, candidates: Candidate[]): Candidate[] {
  const named = ['previous_response_id', 'conversation', 'prompt', 'container'].filter((name) => {
    const value = body.get(name);
    return value !== undefined && value !== null && (name !== 'prompt' || typeof value === 'object');
  });
  const field = named[0] ?? idFields.find((name) => body.mentions(name));
  if (field === undefined) return candidates;
  const own = candidates.filter(({ provider }) => provider.organizationId !== '');
  if (own.length > 0) return own;
  throw new GatewayProblem(
    'not_found',
    `"${field}" names something that a provider keeps. Providers that all organizations share keep nothing for anybody: send the content itself, or add a provider with a key of your organization.`,
    { code: 'not_found', param: field },
  );
}

interface Progress {
  reader: StreamReader | undefined;
  firstTokenMs: number | null;
}

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

function usageOrEstimate(ticket: Ticket, usage: Usage | null, characters: number) {
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

/** By chance, in proportion to the weights; null: the provider needs none; undefined: all were used up. */
function pickCredential(
  { credentials, type }: Provider,
  used: ReadonlySet<string>,
): Credential | null | undefined {
  const enabled = credentials.filter((credential) => credential.enabled);
  if (enabled.length === 0) return type === 'openai-compatible' ? null : undefined;
  const left = enabled.filter(({ id }) => !used.has(id));
  let at = Math.random() * left.reduce((sum, { weight }) => sum + weight, 0);
  for (const credential of left) {
    at -= credential.weight;
    if (at < 0) return credential;
  }
  return left.at(-1);
}

export function keyHeaders({ dialect }: Provider, credential: Credential | null): Record<string, string> {
  if (!credential) return {};
  const { keyHeader } = dialect;
  return { [keyHeader]: keyHeader === 'authorization' ? `Bearer ${credential.apiKey}` : credential.apiKey };
}

function skipped(message: string): AttemptFailure {
  return new AttemptFailure('refused', 'unavailable', message);
}

function budgetRefusal(
  row: BudgetRow,
  { window, used }: BudgetExhausted,
  needMicros: number,
): GatewayProblem {
  const subject = row.application_id
    ? 'the application'
    : row.api_key_id
      ? 'the API key'
      : row.user_id
        ? 'the user'
        : 'the organization';
  const period = row.period === 'day' ? 'today (UTC)' : 'this month (UTC)';
  const limits = [
    Number.isFinite(window.limit.nanos) && `${toMicros(used.nanos)} of ${row.max_cost_micros} micro-dollars`,
    Number.isFinite(window.limit.requests) && `${used.requests} of ${row.max_requests} requests`,
    Number.isFinite(window.limit.tokens) && `${used.tokens} of ${row.max_tokens} tokens`,
  ].filter((text) => text !== false);
  return refusal(
    'budget_exceeded',
    `The budget of ${subject} has no room for this request, which may cost up to ${needMicros} micro-dollars: ${limits.join(', ')} are used ${period} (budget ${row.id}). An admin of the organization can raise it.`,
  );
}
