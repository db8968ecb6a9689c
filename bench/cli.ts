import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build } from '../cli/build.ts';
import { freePort } from '../scripts/postgres.ts';
import { runtimes } from '../scripts/runtimes.ts';
import { bootstrapCommand } from '../server/testing/process.ts';
import { makeS3Keys } from '../server/testing/s3-client.ts';
import { onCore } from './lib/contestant.ts';
import { startMainstay } from './lib/mainstay.ts';
import { ratio } from './lib/report.ts';

/**
 * The command line as it is published, against a server beside it, and what issue 19 asks: the time of `--version` and
 * `whoami` beside an empty Node, 10 000 files of 4 KiB by `storage cp -r` and by `rclone copy` to the same server, and the
 * deploy of a static project that has not changed. `--files=1000`: how many; `--only=copy`: one of start, copy, deploy.
 */

const { values } = parseArgs({
  allowPositionals: true,
  options: { files: { type: 'string', default: '10000' }, only: { type: 'string' } },
});
const fileCount = Number(values.files);
const filesPerFolder = 100;
const fileBytes = 4096;
const starts = 15;
const copies = 2;
const deploys = 5;

interface Run {
  milliseconds: number;
  /** Of the command and of what it started. */
  cpuMilliseconds: number;
}

const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-bench-'));
try {
  const dist = path.join(folder, 'cli');
  await build(dist);
  const main = path.join(dist, 'bin/mainstay.js');
  const [s3Port, gatewayPort, filesPort] = [await freePort(), await freePort(), await freePort()];
  const settings = { MAINSTAY_DATA_DIR: path.join(folder, 'data') };
  const { keys, application } = await bootstrapCommand(settings);
  await using server = await startMainstay({
    ...settings,
    MAINSTAY_S3_PORT: String(s3Port),
    MAINSTAY_GATEWAY_PORT: String(gatewayPort),
    MAINSTAY_FILES_PORT: String(filesPort),
  });
  const env: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    MAINSTAY_CONFIG_DIR: path.join(folder, 'config'),
    MAINSTAY_KEYCHAIN: 'off',
  };
  const mainstay = (args: string[], cwd = folder) => run([process.execPath, main, ...args], cwd, env);
  await mainstay(['login', server.url, '--token', `${keys.user.id}:${keys.user.secret}`]);

  const isWanted = (name: string) => values.only === undefined || values.only === name;
  if (isWanted('start')) await measureStarts();
  if (isWanted('copy')) await measureCopies();
  if (isWanted('deploy')) await measureDeploys();

  async function measureStarts(): Promise<void> {
    const nodes: [name: string, file: string | undefined][] = [
      [`Node ${process.versions.node}`, process.execPath],
      ['Node 20.0', runtimes['node']],
      ['Bun', runtimes['bun']],
    ];
    const empty = path.join(folder, 'empty.mjs');
    await writeFile(empty, '');
    for (const [name, node] of nodes) {
      if (node === undefined) continue;
      const times = await alternately(starts, {
        floor: () => run([node, empty], folder, env),
        version: () => run([node, main, '--version'], folder, env),
        whoami: () => run([node, main, 'whoami'], folder, env),
      });
      console.log(`\n${name}`);
      print('an empty script', times.floor);
      print('mainstay --version', times.version, 150);
      print('mainstay whoami', times.whoami, 300);
    }
  }

  async function measureCopies(): Promise<void> {
    const source = path.join(folder, 'many');
    for (let at = 0; at < fileCount; at += filesPerFolder) {
      const below = path.join(source, `folder ${at / filesPerFolder}`);
      await mkdir(below, { recursive: true });
      const names = Array.from(
        { length: Math.min(filesPerFolder, fileCount - at) },
        (_, index) => at + index,
      );
      await Promise.all(
        names.map((name) => writeFile(path.join(below, `${name}.txt`), `${name} `.padEnd(fileBytes, 'x'))),
      );
    }
    const at = ['--app', application.id, '--env', 'production'];
    const credential = await makeS3Keys(server.url, keys.application, application.id);
    const rcloneEnv = {
      ...env,
      RCLONE_CONFIG_MAINSTAY_TYPE: 's3',
      RCLONE_CONFIG_MAINSTAY_PROVIDER: 'Other',
      RCLONE_CONFIG_MAINSTAY_ENDPOINT: `http://127.0.0.1:${s3Port}`,
      RCLONE_CONFIG_MAINSTAY_ACCESS_KEY_ID: credential.accessKeyId,
      RCLONE_CONFIG_MAINSTAY_SECRET_ACCESS_KEY: credential.secretAccessKey,
    };
    let buckets = 0;
    const newBucket = async () => {
      const bucket = `bucket-${++buckets}`;
      await mainstay(['storage', 'mb', bucket, ...at]);
      return bucket;
    };
    const rclone = async (args: string[]) =>
      run(['rclone', 'copy', source, `mainstay:${await newBucket()}`, ...args], folder, rcloneEnv);
    const before = await server.cpuSeconds();
    let serverSeconds = 0;
    const times = await alternately(copies, {
      ours: async () => {
        const bucket = await newBucket();
        const begun = await server.cpuSeconds();
        const took = await mainstay(['storage', 'cp', '-r', 'many', `${bucket}:`, ...at]);
        serverSeconds += (await server.cpuSeconds()) - begun;
        return took;
      },
      rclone: () => rclone([]),
      'rclone 16': () => rclone(['--transfers', '16', '--checkers', '16']),
    });
    const theirSeconds = (await server.cpuSeconds()) - before - serverSeconds;
    console.log(`\n${fileCount} files of ${fileBytes} bytes, to the same server`);
    print('rclone copy', times.rclone);
    print('rclone copy --transfers 16', times['rclone 16']);
    print('mainstay storage cp -r', times.ours, median(times.rclone));
    ratio("  share of rclone's time", median(times.ours) / median(times.rclone), 'at most 1');
    const each = (seconds: number, runs: number) => ((seconds * 1000) / runs / fileCount).toFixed(2);
    console.log(
      `  CPU of the server a file: ${each(serverSeconds, copies)} ms, for rclone ${each(theirSeconds, 2 * copies)} ms`,
    );
  }

  async function measureDeploys(): Promise<void> {
    const project = path.join(folder, 'site');
    await mkdir(path.join(project, 'assets'), { recursive: true });
    await writeFile(path.join(project, 'index.html'), '<h1>A page</h1>');
    for (let file = 0; file < 100; file++)
      await writeFile(path.join(project, `assets/${file}.txt`), `${file} `.repeat(2000));
    await mainstay(['deploy', '--prod', '--app', application.id], project);
    const { again } = await alternately(deploys, {
      again: () => mainstay(['deploy', '--prod', '--app', application.id], project),
    });
    console.log('\nA static project of 101 files that has not changed');
    print('mainstay deploy --prod', again, 2000);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Each in its turn; where they are many, the first does not count. */
async function alternately<N extends string>(
  times: number,
  works: Record<N, () => Promise<Run>>,
): Promise<Record<N, Run[]>> {
  const names = Object.keys(works) as N[];
  const runs = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<N, Run[]>;
  for (let at = times > copies ? -1 : 0; at < times; at++)
    for (const name of at % 2 === 0 ? names : names.toReversed()) {
      const one = await works[name]();
      if (at >= 0) runs[name].push(one);
    }
  return runs;
}

/** Runs a command on the second core, as the server has the first; bash says what CPU it took. */
async function run(command: string[], cwd: string, env: Record<string, string>): Promise<Run> {
  const timed = ['bash', '-c', 'TIMEFORMAT="%U %S"; time "$0" "$@"', ...onCore('1', command)];
  const [program = '', ...args] = timed;
  const begun = performance.now();
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk) => (output += chunk));
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${output}`);
  const [user = 0, system = 0] = (output.trim().split('\n').at(-1) ?? '').split(' ').map(Number);
  return { milliseconds: performance.now() - begun, cpuMilliseconds: (user + system) * 1000 };
}

function median(runs: readonly Run[], figure: keyof Run = 'milliseconds'): number {
  const sorted = runs.map((one) => one[figure]).toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}

function print(name: string, runs: readonly Run[], goal?: number): void {
  const middle = median(runs);
  const verdict = goal === undefined ? '' : `goal ${goal.toFixed(0)}${middle <= goal ? '' : ', MISSED'}`;
  const least = Math.min(...runs.map(({ milliseconds }) => milliseconds));
  const figures = [
    `${middle.toFixed(0).padStart(6)} ms`,
    `least ${least.toFixed(0).padStart(6)}`,
    `CPU ${median(runs, 'cpuMilliseconds').toFixed(0).padStart(6)}`,
  ];
  console.log(`  ${name.padEnd(28)} ${figures.join(', ')}  ${verdict}`);
}
