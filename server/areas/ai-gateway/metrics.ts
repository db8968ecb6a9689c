import { Counter, Gauge, Histogram } from 'prom-client';
import type { UsageEvent } from './ledger/event.ts';
import type { Health } from './relay/health.ts';

/** Prometheus metrics of the gateway, by provider and status; models are named as far as providers served them. */
export function gatewayMetrics(health: Health): (event: UsageEvent) => void {
  const labelNames = ['provider', 'model'] as const;
  const requests = new Counter({
    name: 'mainstay_ai_requests_total',
    help: 'Requests of the AI gateway that have ended.',
    labelNames: [...labelNames, 'status'],
  });
  const tokens = new Counter({
    name: 'mainstay_ai_tokens_total',
    help: 'Tokens of the AI gateway.',
    labelNames: [...labelNames, 'direction'],
  });
  const cost = new Counter({
    name: 'mainstay_ai_cost_dollars_total',
    help: 'What requests of the AI gateway cost.',
    labelNames: [...labelNames],
  });
  const firstToken = new Histogram({
    name: 'mainstay_ai_first_token_seconds',
    help: 'Time to the first output of a stream.',
    labelNames,
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  });
  new Gauge({
    name: 'mainstay_ai_open_breakers',
    help: 'Keys that requests are kept from because they fail, by provider and model.',
    labelNames,
    collect() {
      this.reset();
      for (const { provider, model } of health.open()) this.inc({ provider, model });
    },
  });
  return (event) => {
    // What was refused names a model that the caller made up: it must not make a series.
    const labels = { provider: event.provider ?? 'none', model: event.modelServed ?? 'none' };
    requests.inc({ ...labels, status: event.status });
    tokens.inc({ ...labels, direction: 'input' }, event.inputTokens);
    tokens.inc({ ...labels, direction: 'output' }, event.outputTokens);
    cost.inc(labels, event.billableNanos / 1e9);
    if (event.firstTokenMs !== null) firstToken.observe(labels, event.firstTokenMs / 1000);
  };
}
