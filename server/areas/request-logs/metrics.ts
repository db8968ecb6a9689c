import { Counter, register } from 'prom-client';
import type { LogStore } from '#core/log-store.ts';

/** Lines by stream, and whether they were stored or dropped; read from the log whenever somebody asks. */
export function registerLogMetrics(logs: LogStore): void {
  // Metrics live in the process: of two applications in it the last one counts.
  const name = 'mainstay_log_lines_total';
  register.removeSingleMetric(name);
  new Counter({
    name,
    help: 'Log lines that this process has stored, and those that it had to drop.',
    labelNames: ['stream', 'outcome'],
    collect() {
      this.reset();
      for (const [stream, { written, dropped }] of Object.entries(logs.counts())) {
        this.inc({ stream, outcome: 'stored' }, written);
        this.inc({ stream, outcome: 'dropped' }, dropped);
      }
    },
  });
}
