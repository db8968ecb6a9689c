import type { Logger } from 'pino';
import { setupLink } from '#accounts/idp/service.ts';
import type { Config } from '../platform/config.ts';
import type { Platform } from '../platform/platform.ts';

/** `link`: how to become the operator, while there is none. */
export function announce(config: Config, log: Logger, link: string | null): void {
  log.info(`Mainstay is ready at ${config.baseUrl} (API reference: ${config.baseUrl}/docs).`);
  if (link === null) return;
  const hours = Math.round(config.setupLinkLifetime / 360) / 10;
  log.warn(
    `Nobody runs this instance yet. To create its operator, open ${link} (once, within ${hours} hours).`,
  );
}

/** The link of the first start; null once the instance has an operator. */
export function firstLink(platform: Platform): Promise<string | null> {
  const { baseUrl, setupLinkLifetime: lifetimeSeconds } = platform.config;
  return setupLink(platform, { baseUrl, lifetimeSeconds });
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
