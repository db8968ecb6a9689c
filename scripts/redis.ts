import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './postgres.ts';

const run = promisify(execFile);

/** A Redis (or Valkey) of our own on loopback, gone with all its data when disposed. */
export interface TestRedis extends AsyncDisposable {
  url: string;
  port: number;
  pid(): number;
  /** Gone at once, with its data. */
  stop(): Promise<void>;
  /** On the same port. */
  start(): Promise<void>;
  command(...parts: string[]): Promise<string>;
}

/** Undefined where none is installed. */
export async function startRedis(settings: readonly string[] = []): Promise<TestRedis | undefined> {
  const program = await findProgram();
  if (!program) return undefined;
  const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-redis-'));
  const port = await freePort();
  const base = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
  const command = async (...parts: string[]) => {
    const { stdout } = await run('redis-cli', ['-p', String(port), ...parts]);
    return stdout.trim();
  };
  let child: ReturnType<typeof spawn> | undefined;
  const start = async () => {
    const args = [...base, '--save', '', '--appendonly', 'no', ...settings];
    child = spawn(program, args, { stdio: 'ignore' });
    for (let waited = 0; waited < 10_000; waited += 25) {
      if ((await command('ping').catch(() => '')) === 'PONG') return;
      await sleep(25);
    }
    throw new Error('Redis did not start within 10 s.');
  };
  const stop = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  await start();
  return {
    ...{ url: `redis://127.0.0.1:${port}`, port, start, stop, command },
    pid: () => child?.pid as number,
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface TestRedisCluster extends AsyncDisposable {
  url: string;
  nodes: TestRedis[];
}

/** Three masters that share the slots. The bus of each listens 10 000 ports above it, or as told here. */
export async function startRedisCluster(): Promise<TestRedisCluster | undefined> {
  await using stack = new AsyncDisposableStack();
  const nodes: TestRedis[] = [];
  for (let at = 0; at < 3; at++) {
    const bus = await freePort();
    const node = await startRedis([
      ...['--cluster-enabled', 'yes', '--cluster-port', String(bus), '--cluster-node-timeout', '2000'],
    ]);
    if (!node) return undefined;
    nodes.push(stack.use(node));
    await node.command('cluster', 'addslotsrange', ...(slotRanges[at] as [string, string]));
    const [first] = nodes;
    const firstBus = first === node ? undefined : await busOf(first as TestRedis);
    if (firstBus) await node.command('cluster', 'meet', '127.0.0.1', String(first?.port), firstBus);
  }
  for (const node of nodes) await allSlots(node);
  const resources = stack.move();
  const [first, ...others] = nodes as [TestRedis, ...TestRedis[]];
  const more = others.map(({ port }) => `&node=127.0.0.1:${port}`).join('');
  return {
    url: `${first.url}?cluster=true${more}`,
    nodes,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

const slotRanges = [
  ['0', '5460'],
  ['5461', '10922'],
  ['10923', '16383'],
];

async function busOf(node: TestRedis): Promise<string> {
  const [, bus = ''] = /@(\d+)/.exec(await node.command('cluster', 'nodes')) ?? [];
  return bus;
}

async function allSlots(node: TestRedis): Promise<void> {
  for (let waited = 0; waited < 20_000; waited += 50) {
    const info = await node.command('cluster', 'info');
    if (info.includes('cluster_state:ok') && info.includes('cluster_known_nodes:3')) return;
    await sleep(50);
  }
  throw new Error('The nodes did not form a cluster within 20 s.');
}

async function findProgram(): Promise<string | undefined> {
  for (const program of ['redis-server', 'valkey-server'])
    if (await run(program, ['--version']).catch(() => undefined)) return program;
  return undefined;
}
