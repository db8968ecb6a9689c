import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from 'pino';
import { AggregatorRegistry } from 'prom-client';
import { adminServer } from '#http/admin.ts';
import type { Config } from '../platform/config.ts';
import { openPlatform } from '../platform/platform.ts';
import { announce, endingSeconds, firstLink, stopSignal } from './lifetime.ts';
import { askWorkers } from './worker-readiness.ts';

/** A worker that lived shorter than this died of its start: the next one waits. */
const quickDeathMilliseconds = 2000;
const maxPauseMilliseconds = 10_000;

/** Runs the workers that share the port, and replaces each that dies, until told to stop. */
export async function superviseWorkers(config: Config, log: Logger): Promise<void> {
  const link = await prepare(config, log);

  let stopping = false;
  let pause = 0;
  const start = () => {
    const worker = cluster.fork({ MAINSTAY_PORT: String(config.port) });
    const startedAt = performance.now();
    worker.on('exit', (code, signal) => {
      if (stopping) return;
      const quick = performance.now() - startedAt < quickDeathMilliseconds;
      pause = quick ? Math.min(maxPauseMilliseconds, Math.max(100, pause * 2)) : 0;
      log.error({ worker: worker.process.pid, code, signal }, 'A worker died; another takes its place.');
      setTimeout(() => stopping || start(), pause);
    });
    return worker;
  };
  const watch = watchWorkers(config.workerTimeout, log);
  const first = Array.from({ length: config.workers }, start);
  // A worker listens on other ports and sockets too, and those may come first.
  const listens = (worker: Worker) =>
    new Promise<void>((resolve) => {
      worker.on('listening', ({ port }) => {
        if (port === config.port) resolve();
      });
    });
  await Promise.all(first.map((worker) => Promise.race([listens(worker), once(worker, 'exit')])));

  const registry = new AggregatorRegistry();
  const admin = adminServer({
    metrics: config.metrics ? () => registry.clusterMetrics() : null,
    ready: async () => {
      if (stopping) throw new Error('The server is being stopped.');
      return askWorkers(workers());
    },
  });
  const stopped = stopSignal();
  await admin.listen({ host: config.adminHost, port: config.adminPort });
  announce(config, log, link);

  const signal = await stopped;
  log.info(`${signal}: stopping ${config.workers} workers.`);
  stopping = true;
  watch.stop();
  await Promise.all(
    workers().map((worker) => {
      worker.process.kill(signal);
      const late = () => worker.process.kill('SIGKILL');
      setTimeout(late, endingSeconds(signal, config) * 1000).unref();
      return once(worker, 'exit');
    }),
  );
  await admin.close();
}

const aliveMessage = 'mainstay:alive';
const beatsPerTimeout = 4;

/** Tells the primary, again and again, that the event loop of this worker turns. */
export function sayAlive(timeoutSeconds: number): void {
  const say = () => process.connected && process.send?.({ type: aliveMessage });
  say();
  setInterval(say, (timeoutSeconds / beatsPerTimeout) * 1000).unref();
}

/** Kills each worker that has not said for so long that it is alive: another takes its place. */
function watchWorkers(timeoutSeconds: number, log: Logger): { stop(): void } {
  const heardAt = new Map<number, number>();
  cluster.on('message', (worker: Worker, message: { type?: string }) => {
    if (message?.type === aliveMessage) heardAt.set(worker.id, performance.now());
  });
  cluster.on('exit', (worker: Worker) => heardAt.delete(worker.id));
  const interval = (timeoutSeconds / beatsPerTimeout) * 1000;
  let lookedAt = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    // When it was this process that stood still, what the workers said meanwhile has not been read yet.
    const stoodStill = now - lookedAt > 2 * interval;
    lookedAt = now;
    for (const worker of workers()) {
      const at = heardAt.get(worker.id);
      if (at === undefined) continue;
      if (stoodStill) heardAt.set(worker.id, now);
      else if (now - at > timeoutSeconds * 1000) {
        log.error({ worker: worker.process.pid }, `A worker has hung for ${timeoutSeconds} s; it is ended.`);
        worker.process.kill('SIGKILL');
      }
    }
  }, interval);
  return { stop: () => clearInterval(timer) };
}

/** Migrations and first keys once, here, where a failure stops the start with its reason. */
async function prepare(config: Config, log: Logger): Promise<string | null> {
  await using platform = await openPlatform(config, log);
  return firstLink(platform);
}

function workers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}
