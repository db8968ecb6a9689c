import { cpus } from 'node:os';
import type { Figures } from './load.ts';

/** Prints a table of contestants, and each one's ratio to the first and to the others that are asked for. */
export function report(title: string, rows: Record<string, Figures>): void {
  console.log(`\n${title} (${cpus().length} cores, ${cpus()[0]?.model}, Node ${process.versions.node})`);
  console.table(
    Object.fromEntries(
      Object.entries(rows).map(([name, { requestsPerSecond, p50, p99, longest, cpuMicros }]) => [
        name,
        {
          'requests/s': Math.round(requestsPerSecond),
          'p50 ms': p50,
          'p99 ms': p99,
          'longest ms': longest,
          'CPU us/request': Math.round(cpuMicros * 10) / 10,
        },
      ]),
    ),
  );
}

export function ratio(name: string, value: number, wanted: string): void {
  console.log(`${name}: ${value.toFixed(2)} (wanted: ${wanted})`);
}
