import { Gauge } from 'prom-client';
import type { FeedData } from './feeds/data.ts';

/** Each worker of a machine knows the same lists: figures are not summed. */
const aggregator = 'max';

/** The size and the age of each list, and how many names are in use. */
export function registerReputationMetrics(feeds: FeedData): void {
  new Gauge({
    name: 'mainstay_reputation_names',
    help: 'Names in the reputation index.',
    aggregator,
    collect() {
      this.set(feeds.about?.count ?? 0);
    },
  });
  const labelNames = ['feed'] as const;
  const age = new Gauge({
    name: 'mainstay_reputation_feed_age_seconds',
    help: 'Time since the source of a list last confirmed what is in use.',
    ...{ labelNames, aggregator },
  });
  const failing = new Gauge({
    name: 'mainstay_reputation_feed_failing',
    help: '1 while the last try to take a list failed.',
    ...{ labelNames, aggregator },
  });
  new Gauge({
    name: 'mainstay_reputation_feed_names',
    help: 'Names that are in use of a list.',
    ...{ labelNames, aggregator },
    async collect() {
      for (const [feed, state] of await feeds.states()) {
        this.set({ feed }, state.names);
        failing.set({ feed }, state.error === null ? 0 : 1);
        if (state.fetchedAt !== null) age.set({ feed }, (Date.now() - state.fetchedAt) / 1000);
      }
    },
  });
}
