import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../scripts/postgres.ts';
import { type Contestant, startContestant } from './contestant.ts';

/** The peer: webdis before a redis-server, one thread, as Debian has it; the HTTP limit raised for large values. */
export async function startWebdis(redisPort: number): Promise<Contestant> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-webdis-'));
  const port = await freePort();
  const file = path.join(folder, 'webdis.json');
  const settings = {
    ...{ redis_host: '127.0.0.1', redis_port: redisPort, http_host: '127.0.0.1', http_port: port },
    ...{ threads: 1, pool_size: 20, daemonize: false, database: 0, verbosity: 0 },
    ...{ logfile: path.join(folder, 'webdis.log'), http_max_request_size: 16 * 1024 * 1024 },
  };
  await writeFile(file, JSON.stringify(settings));
  const url = `http://127.0.0.1:${port}`;
  const contestant = await startContestant(['webdis', file], { url, readyPath: '/PING' });
  return {
    ...contestant,
    async [Symbol.asyncDispose]() {
      await contestant[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
