import { Counter, register } from 'prom-client';
import type { CountName } from './meter.ts';

const events: Record<CountName, string> = {
  coldStarts: 'cold_start',
  prewarmedStarts: 'prewarmed_start',
  wakes: 'wake',
  crashes: 'crash',
  rejected: 'rejected',
};

/** Counts what happens to processes of functions on this node. */
export function functionEvents(): (name: CountName) => void {
  const name = 'mainstay_function_events_total';
  // Metrics live in the process: of two applications in it the last one counts.
  register.removeSingleMetric(name);
  const counter = new Counter({
    name,
    help: 'Starts, wakes and crashes of processes of functions, and requests that got none in time.',
    labelNames: ['event'],
  });
  return (counted) => counter.inc({ event: events[counted] });
}
