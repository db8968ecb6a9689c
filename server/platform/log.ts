import { createRequire } from 'node:module';
import { type DestinationStream, type Logger, pino } from 'pino';
import { LineWriter } from './line-writer.ts';

/** The log on standard output, and how to get the last lines of it out before the process ends. */
export function createLog(options: { level: string; format: 'auto' | 'json' | 'pretty' }): {
  log: Logger;
  flush: () => void;
} {
  const { level, format } = options;
  const base = { pid: process.pid };
  if (format === 'pretty' || (format === 'auto' && process.stdout.isTTY)) {
    const { isTTY } = process.stdout;
    // Loaded for people at a terminal only.
    const pretty = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty');
    const stream = pretty({
      ignore: 'pid,hostname',
      translateTime: 'HH:MM:ss.l',
      colorize: isTTY,
      sync: true,
    });
    return { log: pino({ level, base }, stream as DestinationStream), flush: () => undefined };
  }
  const writer = new LineWriter(1);
  process.on('exit', () => writer.flush());
  return { log: pino({ level, base }, writer), flush: () => writer.flush() };
}
