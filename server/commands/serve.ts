import cluster from 'node:cluster';
import module from 'node:module';
import type { Logger } from 'pino';
import { AggregatorRegistry, register } from 'prom-client';
import { Readiness } from '#core/readiness.ts';
import { type Environment, SettingsError } from '#core/settings.ts';
import { adminServer } from '#http/admin.ts';
import { buildApp } from '../app.ts';
import { type Config, readConfig, settingOfPort, unknownSettings } from '../platform/config.ts';
import { createLog } from '../platform/log.ts';
import { openPlatform } from '../platform/platform.ts';
import type { Command } from './command.ts';
import { withPort } from './free-port.ts';
import { announce, drain, firstLink, stopSignal } from './lifetime.ts';
import { answerReadiness } from './worker-readiness.ts';
import { sayAlive, superviseWorkers } from './workers.ts';

export const serve: Command = {
  name: 'serve',
  summary: 'Run the server: API, dashboard and documentation on one port.',
  details:
    'Needs no other service: it creates its database and its master key in the data folder on the first start.\n' +
    'SIGTERM or Ctrl-C finishes the requests in flight and stops; a second one stops at once.',
  options: {},
  async run(_values, given) {
    const environment = await withPort(given);
    const config = readConfig(environment);
    const { log, flush } = createLog({ level: config.logLevel, format: config.logFormat });
    try {
      const isPrimary = cluster.isPrimary;
      if (isPrimary) warnOfUnknownSettings(environment, log);
      if (isPrimary && config.workers > 1) await superviseWorkers(config, log);
      else await serveHere(config, log);
    } catch (error) {
      throw portInUse(error, config) ?? error;
    } finally {
      flush();
    }
    return 0;
  },
};

/** Serves in this process until it is told to stop. */
async function serveHere(config: Config, log: Logger): Promise<void> {
  await using stack = new AsyncDisposableStack();
  // The channel to the primary would keep this process alive after everything else is closed.
  if (cluster.isWorker) {
    stack.defer(() => process.disconnect?.());
    sayAlive(config.workerTimeout);
  }
  if (config.tracesUrl) {
    const { tracesUrl: collector, tracesSample: samplePercent } = config;
    const { startTraces } = await import('#http/traces.ts');
    const traces = await startTraces({ collector, samplePercent });
    stack.defer(() => traces.close());
  }
  const platform = stack.use(await openPlatform(config, log));
  const { app, listeners } = await buildApp(platform);
  stack.defer(() => app.close());
  // From the first request on a signal drains.
  const stopped = stopSignal();
  // Here it delays nobody; a process that is killed would leave nothing for the next start.
  module.flushCompileCache();
  await app.listen({ host: config.host, port: config.port });
  for (const listener of listeners) {
    const address = await listener.listen();
    stack.defer(() => listener.close());
    log.info(`Listening for ${listener.name} at ${address}.`);
  }
  const readiness = new Readiness({ db: platform.db });
  if (cluster.isWorker) {
    // Answers the primary's questions for metrics.
    new AggregatorRegistry();
    answerReadiness(readiness);
  } else {
    const admin = adminServer({
      metrics: config.metrics ? () => register.metrics() : null,
      ready: async () => {
        if (app.lifecycle.draining) throw new Error('The server is being stopped.');
        return readiness.check();
      },
    });
    stack.defer(() => admin.close());
    await admin.listen({ host: config.adminHost, port: config.adminPort });
    announce(config, log, await firstLink(platform));
  }
  const signal = await stopped;
  for (const listener of listeners) listener.drain();
  await drain(app, signal, config, log);
}

/** Node names the port alone, and of the five that a first start opens it does not say which. */
function portInUse(error: unknown, config: Config): SettingsError | undefined {
  const { code, port } = error as { code?: unknown; port?: unknown };
  const setting = typeof port === 'number' ? settingOfPort(port, config) : undefined;
  if (!setting || (code !== 'EADDRINUSE' && code !== 'EACCES')) return undefined;
  const reason = code === 'EACCES' ? 'may not be opened by this user' : 'is in use by another process';
  return new SettingsError([`Port ${port} ${reason}. Set ${setting} to another port.`]);
}

function warnOfUnknownSettings(environment: Environment, log: Logger): void {
  for (const name of unknownSettings(environment))
    log.warn(`${name} is not a setting of this version; it is ignored.`);
}
