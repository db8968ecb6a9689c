import { type DestinationStream, type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

/**
 * The log on standard output. Lines are written without waiting for them; while one write is under way the next lines
 * gather, so that a busy server makes few system calls. `flush` before the process ends.
 */
export function createLog(options: { level: string; format: 'auto' | 'json' | 'pretty' }): {
  log: Logger;
  flush: () => void;
} {
  const isPretty = options.format === 'pretty' || (options.format === 'auto' && process.stdout.isTTY);
  const destination = isPretty
    ? pretty({
        ignore: 'pid,hostname',
        translateTime: 'HH:MM:ss.l',
        colorize: process.stdout.isTTY,
        sync: true,
      })
    : pino.destination({ fd: 1, sync: false });
  const log = pino({ level: options.level, base: { pid: process.pid } }, destination as DestinationStream);
  const flush = () => {
    if ('flushSync' in destination) destination.flushSync();
  };
  return { log, flush };
}
