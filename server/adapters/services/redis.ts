import { isIP } from 'node:net';
import { Redis, type RedisOptions } from 'ioredis';
import { type ServiceEngine, ServiceRefused } from '#core/service-engine.ts';

const timeout = 5000;
const keysAtOnce = 500;

/**
 * Users that reach the keys and channels of their prefix, on a Redis or Valkey of version 7 or later. What tells of keys of
 * others, or touches all of them, is refused to them.
 */
export function openRedisService(url: URL): ServiceEngine {
  const address = {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1') || '127.0.0.1',
    port: Number(url.port) || 6379,
    tls: url.protocol === 'rediss:',
  };
  const base = {
    ...{ host: address.host, port: address.port, lazyConnect: true, enableReadyCheck: false },
    ...{ connectTimeout: timeout, commandTimeout: timeout, maxRetriesPerRequest: 0 },
    ...(address.tls ? { tls: isIP(address.host) ? {} : { servername: address.host } } : {}),
    retryStrategy: () => null,
  } satisfies RedisOptions;
  const own = {
    ...base,
    ...(url.username ? { username: decodeURIComponent(url.username) } : {}),
    ...(url.password ? { password: decodeURIComponent(url.password) } : {}),
  };

  async function withClient<T>(
    options: typeof base | typeof own,
    work: (client: Redis) => Promise<T>,
  ): Promise<T> {
    const client = new Redis(options);
    let said: Error | undefined;
    client.on('error', (error) => {
      said = error;
    });
    try {
      // The client itself only knows that it was hung up on.
      await client.connect().catch((error) => Promise.reject(said ?? error));
      return await work(client);
    } finally {
      client.disconnect();
    }
  }

  /** Functions reach the engine from this machine: a password has to be what keeps them apart. */
  async function refuseOpenDoor(): Promise<void> {
    const isOpen = await withClient(base, (client) => client.call('ACL', 'WHOAMI')).then(
      () => true,
      (error: Error) => {
        if (/NOAUTH|NOPERM/.test(error.message)) return false;
        throw error;
      },
    );
    if (isOpen)
      throw new ServiceRefused(
        'The Redis of MAINSTAY_SERVICES_REDIS_URL lets anybody in without a password: its operator has to demand one (requirepass).',
      );
  }

  return {
    kind: 'redis',
    address,
    async ensure(name, password) {
      await refuseOpenDoor();
      await withClient(own, async (client) => {
        const prefix = `${name}:*`;
        const denied = ['-@admin', '-@dangerous', '-scan', '-randomkey', '-dbsize', '-pubsub', '-function'];
        await client.call(
          ...(['ACL', 'SETUSER', name, 'reset', 'on', `>${password}`, `~${prefix}`, `&${prefix}`] as const),
          ...['+@all', ...denied, '+info'],
        );
        // Kept over a restart where the engine has a file for it; elsewhere it is made again by the next round.
        await client.call('ACL', 'SAVE').catch(() => {});
      });
    },
    async drop(name) {
      await withClient(own, async (client) => {
        await client.call('ACL', 'DELUSER', name);
        await client.call('ACL', 'SAVE').catch(() => {});
        for await (const keys of client.scanStream({ match: `${name}:*`, count: keysAtOnce }))
          if (keys.length > 0) await client.unlink(...keys);
      });
    },
    [Symbol.asyncDispose]: async () => {},
  };
}
