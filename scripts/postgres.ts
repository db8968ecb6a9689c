import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A PostgreSQL of our own on loopback, gone with all its data when disposed. */
export interface TestPostgres extends AsyncDisposable {
  /** Of the database `postgres`, as its superuser. */
  url: string;
  /** As `pg_ctl stop -m immediate`: the server is gone at once. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Undefined where no PostgreSQL is installed. It keeps data in memory only as long as asked: no fsync. */
export async function startPostgres(): Promise<TestPostgres | undefined> {
  const bin = await findBinaries();
  if (!bin) return undefined;
  const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-postgres-'));
  // PostgreSQL refuses to run as root: as root it runs as the user `postgres`, or `nobody`.
  const identity = await unprivileged();
  if (identity) await chown(folder, identity.uid, identity.gid);
  const data = path.join(folder, 'data');
  const options = { ...identity, cwd: folder };
  await run(
    path.join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
    options,
  );
  const port = await freePort();
  const settings = [
    'fsync=off',
    'max_connections=300',
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
  ];
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;

  let child: ReturnType<typeof spawn> | undefined;
  const start = async () => {
    const args = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
    child = spawn(path.join(bin, 'postgres'), args, { ...options, stdio: 'ignore' });
    for (let waited = 0; waited < 30_000; waited += 50) {
      const ready = await run(path.join(bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)]).catch(
        () => null,
      );
      if (ready) return;
      await sleep(50);
    }
    throw new Error('PostgreSQL did not start within 30 s.');
  };
  const stop = async () => {
    if (!child || child.exitCode !== null) return;
    // SIGQUIT is PostgreSQL's immediate shutdown.
    child.kill('SIGQUIT');
    await once(child, 'exit');
  };
  await start();
  return {
    url,
    start,
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function findBinaries(): Promise<string | undefined> {
  const root = '/usr/lib/postgresql';
  const versions = (await readdir(root).catch(() => [])).map(Number).sort((a, b) => b - a);
  if (versions[0] !== undefined && versions[0] >= 15) return path.join(root, String(versions[0]), 'bin');
  const found = await run('pg_config', ['--bindir']).catch(() => undefined);
  return found?.stdout.trim();
}

async function unprivileged(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map((flag) => run('id', [flag, name]).catch(() => undefined)),
    );
    if (uid && gid) return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  }
  return undefined;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}
