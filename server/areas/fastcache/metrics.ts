import { Counter, Gauge, Histogram, register } from 'prom-client';
import type { CacheUsage } from '#core/cache.ts';

export interface CacheMetrics {
  lookup(hit: boolean): void;
  /** What a write waited for the engine. */
  written(seconds: number): void;
  /** What all applications have together. */
  total(usage: Pick<CacheUsage, 'items' | 'bytes' | 'evictions'>): void;
}

/** What operators see of the cache. Metrics live in the process: a second application in it shares them. */
export function cacheMetrics(): CacheMetrics {
  const lookups = metric('mainstay_fastcache_lookups_total', (name) => {
    const help = 'Reads by result, hit or miss: their ratio is the hit ratio.';
    return new Counter({ name, help, labelNames: ['result'] });
  });
  const seconds = metric('mainstay_fastcache_write_seconds', (name) => {
    const help = 'Time that writes, batches and deletions took in the engine.';
    return new Histogram({ name, help, buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 2.5] });
  });
  const gauges = (['items', 'bytes', 'evictions'] as const).map((field) => {
    const help = `${field} of all applications together, as the engine counted them last.`;
    const name = `mainstay_fastcache_${field}`;
    return [field, metric(name, () => new Gauge({ name, help }))] as const;
  });
  const found = { true: lookups.labels('hit'), false: lookups.labels('miss') };
  return {
    lookup: (hit) => found[`${hit}`].inc(),
    written: (elapsed) => seconds.observe(elapsed),
    total: (usage) => {
      for (const [field, gauge] of gauges) gauge.set(usage[field]);
    },
  };
}

function metric<T>(name: string, make: (name: string) => T): T {
  return (register.getSingleMetric(name) as T | undefined) ?? make(name);
}
