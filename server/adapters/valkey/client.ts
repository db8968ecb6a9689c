import { readFileSync } from 'node:fs';
import { Cluster, Redis, type RedisOptions } from 'ioredis';

/** A single server, or a cluster whose nodes are found through those that the address names. */
export type Client = Redis | Cluster;

const script = readFileSync(new URL('./cache.lua', import.meta.url), 'utf8');

/** How the cache's script is called: four keys, then what it needs. Texts come back as bytes. */
interface WithScript {
  cacheDoBuffer(...parameters: (string | Buffer | number)[]): Promise<unknown>;
}

/**
 * A client that never waits for a lost server: what is sent meanwhile, and what was under way, fails at once. It
 * reconnects by itself.
 */
export function connect(
  url: URL,
  { timeoutSeconds, onError }: { timeoutSeconds: number; onError: (error: unknown) => void },
): Client & WithScript {
  const timeout = timeoutSeconds * 1000;
  const shared = {
    ...(url.username ? { username: decodeURIComponent(url.username) } : {}),
    ...(url.password ? { password: decodeURIComponent(url.password) } : {}),
    ...(url.protocol === 'rediss:' ? { tls: { servername: url.hostname } } : {}),
    connectTimeout: timeout,
    commandTimeout: timeout,
    maxRetriesPerRequest: 0,
    // A write that was sent may have been done: sending it again is for the caller to decide.
    autoResendUnfulfilledCommands: false,
  } satisfies RedisOptions;
  const scripts = { cacheDo: { lua: script, numberOfKeys: 4 } };
  const retry = (times: number) => Math.min(50 * times, 500);
  const client = isCluster(url)
    ? new Cluster(nodesOf(url), {
        scripts,
        enableOfflineQueue: false,
        clusterRetryStrategy: retry,
        // None of them waits: a moved slot is followed, a lost node is an error.
        retryDelayOnFailover: 0,
        retryDelayOnClusterDown: 0,
        retryDelayOnTryAgain: 0,
        slotsRefreshTimeout: timeout,
        slotsRefreshInterval: 1000,
        redisOptions: shared,
      })
    : new Redis({
        ...shared,
        scripts,
        host: hostOf(url),
        port: portOf(url),
        db: Number(url.pathname.slice(1)) || 0,
        enableOfflineQueue: false,
        retryStrategy: retry,
      });
  client.on('error', onError);
  return client as unknown as Client & WithScript;
}

/** Resolves once the client is ready, or has failed, or the time is over: the server starts without its cache too. */
export async function settled(client: Client, timeoutSeconds: number): Promise<void> {
  if (client.status === 'ready' || client.status === 'end') return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutSeconds * 1000);
  client.once('ready', resolve).once('close', resolve);
  await promise;
  clearTimeout(timer);
  client.off('ready', resolve).off('close', resolve);
}

const openingSeconds = 0.25;

/**
 * A node of a cluster is connected by the first command for it, and refuses those that come before it is: all of them
 * wait for a moment instead. Undefined where there is nothing to wait for.
 */
export function opening(client: Client): Promise<unknown> | undefined {
  if (!(client instanceof Cluster) || client.status !== 'ready') return undefined;
  const nodes = client.nodes('all').filter(({ status }) => /^(wait|connecting|connect)$/.test(status));
  if (nodes.length === 0) return undefined;
  for (const node of nodes) if (node.status === 'wait') node.connect().catch(() => undefined);
  return Promise.all(nodes.map((node) => settled(node, openingSeconds)));
}

/** Every server that holds items. */
export function masters(client: Client): Redis[] {
  return client instanceof Cluster ? client.nodes('master') : [client];
}

function isCluster(url: URL): boolean {
  return url.searchParams.get('cluster') === 'true';
}

function nodesOf(url: URL): { host: string; port: number }[] {
  const others = url.searchParams.getAll('node').map((node) => new URL(`redis://${node}`));
  return [url, ...others].map((node) => ({ host: hostOf(node), port: portOf(node) }));
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1') || '127.0.0.1';
}

function portOf(url: URL): number {
  return Number(url.port) || 6379;
}
