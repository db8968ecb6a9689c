import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
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
    `This instance has no operator yet. To create one, open ${link} (works once, within ${hours} hours).`,
  );
}

/** The link of the first start; null once the instance has an operator. */
export function firstLink(platform: Platform): Promise<string | null> {
  const { baseUrl, setupLinkLifetime: lifetimeSeconds } = platform.config;
  return setupLink(platform, { baseUrl, lifetimeSeconds });
}

/**
 * Resolves with the first signal to stop; the end of a launcher that started this process counts as SIGTERM. A later
 * signal ends the process at once.
 */
export function stopSignal(): Promise<StopSignal> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const heard = (signal: StopSignal) => {
      // A terminal and a parent process may both pass on the same Ctrl-C.
      if (firstAt !== undefined && performance.now() - firstAt > 500) process.exit(1);
      firstAt ??= performance.now();
      resolve(signal);
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, heard);
    if (!process.channel || cluster.isWorker) return;
    process.once('disconnect', () => heard('SIGTERM'));
    // To listen keeps the process alive otherwise.
    process.channel.unref();
  });
}

type StopSignal = 'SIGTERM' | 'SIGINT';

/** How long closing may take after the last request: flushing, and saying goodbye to engines. */
const closingSeconds = 10;

/** Takes requests for a while longer, so that load balancers notice; then lets those in flight finish. */
export async function drain(
  app: FastifyInstance,
  signal: StopSignal,
  config: Config,
  log: Logger,
): Promise<void> {
  app.lifecycle.draining = true;
  const delay = drainSeconds(signal, config);
  log.info(`${signal}: new requests are accepted for ${delay} s more; then requests in flight are finished.`);
  await sleep(delay * 1000);
  // Connections that become idle from now on would otherwise be waited for until they time out.
  setInterval(() => app.server.closeIdleConnections(), 50).unref();
  setTimeout(() => app.server.closeAllConnections(), config.shutdownTimeout * 1000).unref();
  setTimeout(
    () => {
      log.error('The server did not stop in time; it is terminated.');
      process.exit(1);
    },
    (config.shutdownTimeout + closingSeconds) * 1000,
  ).unref();
}

/** Who stops a server from its terminal waits for it. */
function drainSeconds(signal: StopSignal, { drainDelay }: Config): number {
  return signal === 'SIGINT' ? 0 : drainDelay;
}

/** How long a process takes to end at most. */
export function endingSeconds(signal: StopSignal, config: Config): number {
  return drainSeconds(signal, config) + config.shutdownTimeout + closingSeconds;
}
