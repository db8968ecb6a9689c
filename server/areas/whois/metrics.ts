import { Counter, Histogram, register } from 'prom-client';

/** Hosts with a series of their own; answers of registrars beyond it are counted together. */
const MAX_UPSTREAMS = 1_000;

export interface WhoisMetrics {
  query(upstream: string, seconds: number, failure: string | undefined): void;
  /** `fresh`, `stale`, `shared` (joined a query under way) or `miss`. */
  cache(result: string): void;
}

/** What operators see of this area. Metrics live in the process: a second application in it shares them. */
export function whoisMetrics(): WhoisMetrics {
  const seconds = metric('mainstay_whois_query_seconds', (name) => {
    const help = 'Time of queries to registries and registrars, by host, failed ones included.';
    const buckets = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
    return new Histogram({ name, help, labelNames: ['upstream'], buckets });
  });
  const failures = metric('mainstay_whois_failures_total', (name) => {
    const help =
      'Queries that failed, by host and kind: silent, throttled, refused, broken, unreachable, forbidden.';
    return new Counter({ name, help, labelNames: ['upstream', 'failure'] });
  });
  const lookups = metric('mainstay_whois_lookups_total', (name) => {
    const help = 'Look-ups by how the cache answered: fresh, stale, shared, miss.';
    return new Counter({ name, help, labelNames: ['cache'] });
  });
  const known = new Set<string>();
  return {
    query(host, elapsed, failure) {
      if (known.size < MAX_UPSTREAMS) known.add(host);
      const upstream = known.has(host) ? host : 'other';
      seconds.observe({ upstream }, elapsed);
      if (failure !== undefined) failures.inc({ upstream, failure });
    },
    cache: (result) => lookups.inc({ cache: result }),
  };
}

function metric<T>(name: string, make: (name: string) => T): T {
  return (register.getSingleMetric(name) as T | undefined) ?? make(name);
}
