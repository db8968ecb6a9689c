/** What budgets count. */
export interface Amount {
  nanos: number;
  requests: number;
  tokens: number;
}

export const nothing: Amount = { nanos: 0, requests: 0, tokens: 0 };

export function plus(a: Amount, b: Amount): Amount {
  return { nanos: a.nanos + b.nanos, requests: a.requests + b.requests, tokens: a.tokens + b.tokens };
}

export function minus(a: Amount, b: Amount): Amount {
  return { nanos: a.nanos - b.nanos, requests: a.requests - b.requests, tokens: a.tokens - b.tokens };
}

export function lesser(a: Amount, b: Amount): Amount {
  return {
    nanos: Math.min(a.nanos, b.nanos),
    requests: Math.min(a.requests, b.requests),
    tokens: Math.min(a.tokens, b.tokens),
  };
}

export function atLeastNothing(amount: Amount): Amount {
  return {
    nanos: Math.max(0, amount.nanos),
    requests: Math.max(0, amount.requests),
    tokens: Math.max(0, amount.tokens),
  };
}

export function covers(a: Amount, b: Amount): boolean {
  return a.nanos >= b.nanos && a.requests >= b.requests && a.tokens >= b.tokens;
}

export function isNothing(a: Amount): boolean {
  return a.nanos === 0 && a.requests === 0 && a.tokens === 0;
}

/** The largest that a request may cost, as a function of the output tokens that it is allowed. */
export interface Ask {
  /** Without any output. */
  fixedNanos: number;
  /** Of each output token, in pico-dollars, rounded up as a sum. */
  perOutputPico: number;
  inputTokens: number;
  /** What is wanted, and the least that makes sense; equal where the caller said how much. */
  outputWanted: number;
  outputLeast: number;
}

export function amountFor(ask: Ask, output: number): Amount {
  return {
    nanos: ask.fixedNanos + Math.ceil((ask.perOutputPico * output) / 1000),
    requests: 1,
    tokens: ask.inputTokens + output,
  };
}

/** The most output that this amount pays for, at most what is wanted; -1: not even the least. */
export function outputWithin(ask: Ask, available: Amount): number {
  if (available.requests < 1) return -1;
  let output = Math.min(ask.outputWanted, available.tokens - ask.inputTokens);
  if (ask.perOutputPico > 0) {
    const left = available.nanos - ask.fixedNanos;
    output = Math.min(output, Math.floor((left * 1000) / ask.perOutputPico));
  } else if (available.nanos < ask.fixedNanos) return -1;
  return output < ask.outputLeast || output < 0 ? -1 : output;
}

/** The start of the window that a moment is in: UTC days and calendar months. */
export function windowStart(period: 'day' | 'month', now: number): number {
  const date = new Date(now);
  const day = period === 'day' ? date.getUTCDate() : 1;
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), day);
}

export function windowEnd(period: 'day' | 'month', start: number): number {
  const date = new Date(start);
  return period === 'day' ? start + 86_400_000 : Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}
const thresholds = [100, 80, 50];

/** The highest threshold that is reached: 0, 50, 80 or 100. */
export function thresholdOf(used: Amount, limit: Amount): number {
  const share = Math.max(
    ...(['nanos', 'requests', 'tokens'] as const).map((unit) =>
      Number.isFinite(limit[unit]) ? (limit[unit] === 0 ? 1 : used[unit] / limit[unit]) : 0,
    ),
  );
  return thresholds.find((percent) => share * 100 >= percent) ?? 0;
}
