import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../scripts/postgres.ts';

/**
 * `npm run bench -- start`: memory of an idle server two seconds after its start, the time to its first answer and the CPU
 * that it took, beside a bare Fastify and an empty Node. Linux only: it reads /proc.
 */

const root = path.join(import.meta.dirname, '..');
const launcher = path.join(root, 'server/bin/mainstay-server.js');

const bareFastify = `
const { default: fastify } = await import('fastify');
const app = fastify();
app.get('/healthz', async () => ({ status: 'ok' }));
await app.listen({ port: Number(process.env.MAINSTAY_PORT) });`;
const emptyNode = `
const { createServer } = await import('node:http');
createServer((request, response) => response.end('ok')).listen(Number(process.env.MAINSTAY_PORT));`;

async function measure(
  name: string,
  command: string[],
  settings: Record<string, string> = {},
): Promise<void> {
  const port = await freePort();
  const [program = '', ...args] = command;
  // The pinned Node, whichever one the command would find.
  const paths = `${path.dirname(process.execPath)}:${process.env['PATH']}`;
  const env = { ...process.env, PATH: paths, ...settings, MAINSTAY_PORT: String(port) };
  const started = performance.now();
  const child = spawn(program, args, { cwd: root, env, stdio: 'ignore' });
  while (!(await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined))) await sleep(2);
  const firstAnswer = performance.now() - started;
  const cpu = await cpuSeconds(child.pid as number);
  await sleep(2000);
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  const megabytes = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  const figures = [
    `${megabytes('VmRSS').toFixed(0)} MB`.padStart(8),
    `(${megabytes('RssAnon').toFixed(0)} anonymous, ${megabytes('RssFile').toFixed(0)} mapped)`.padEnd(30),
    `first answer ${(firstAnswer / 1000).toFixed(2)} s`,
    `CPU ${cpu.toFixed(2)} s`,
  ];
  console.log(`${name.padEnd(16)} ${figures.join('  ')}`);
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Of all its threads so far, in user and system mode. */
async function cpuSeconds(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /s, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-bench-'));
try {
  const settings: Record<string, string> = {
    MAINSTAY_DATA_DIR: folder,
    MAINSTAY_REPUTATION_REFRESH: 'false',
    ...Object.fromEntries(['ADMIN', 'GATEWAY', 'FILES'].map((name) => [`MAINSTAY_${name}_PORT`, '0'])),
  };
  await measure('empty Node', ['node', '--input-type=module', '-e', emptyNode]);
  await measure('bare Fastify', ['node', '--input-type=module', '-e', bareFastify]);
  await measure('first start', [launcher, 'serve'], settings);
  for (let run = 0; run < 3; run++) await measure('Mainstay', [launcher, 'serve'], settings);
} finally {
  await rm(folder, { recursive: true, force: true });
}
