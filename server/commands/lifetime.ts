import type { Logger } from 'pino';
import type { Config } from '../config.ts';

export function announce(config: Config, log: Logger): void {
  log.info(`Mainstay is ready at ${config.baseUrl} (API reference: ${config.baseUrl}/docs).`);
}

/** Resolves with the first signal to stop. A later one ends the process at once. */
export function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const heard = (signal: string) => {
      // A terminal and a parent process may both pass on the same Ctrl-C.
      if (firstAt !== undefined && performance.now() - firstAt > 500) process.exit(1);
      firstAt ??= performance.now();
      resolve(signal);
    };
    for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, heard);
  });
}
