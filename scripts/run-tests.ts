import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { chromiumFile } from './chromium.ts';
import { chdb } from './clickhouse.ts';
import { startMoto } from './moto.ts';
import { startPostgres } from './postgres.ts';
import { startRedis, startRedisCluster } from './redis.ts';
import { runtimes } from './runtimes.ts';
import { makeTemplates } from './templates.ts';

/**
 * Runs the tests against real engines, which live as long as the run. An engine that this machine does not have is
 * skipped loudly; under CI it fails the run, so that nothing is left out unseen.
 */

const defaultFiles = [
  'server/**/*.test.ts',
  'sdk/*.test.ts',
  'config/*.test.ts',
  'cli/**/*.test.ts',
  'acceptance/**/*.test.ts',
  'scripts/**/*.test.ts',
];

const isCi = Boolean(process.env['CI']);
await using stack = new AsyncDisposableStack();
const environment: Record<string, string> = {};

const postgres = await startPostgres();
if (postgres) {
  stack.use(postgres);
  environment['TEST_POSTGRES_URL'] = postgres.url;
} else missing('PostgreSQL 15 or later', 'apt-get install postgresql');

const redis = await startRedis();
const cluster = redis && (await startRedisCluster());
if (redis && cluster) {
  stack.use(redis);
  stack.use(cluster);
  environment['TEST_REDIS_URL'] = redis.url;
  environment['TEST_REDIS_CLUSTER_URL'] = cluster.url;
} else missing('Redis 7 or Valkey', 'apt-get install redis-server');
const s3 = await startMoto();
if (s3) {
  stack.use(s3);
  environment['TEST_S3_URL'] = s3.url;
} else missing('Moto, an S3 engine', "pip install 'moto[server]'");
if (Object.keys(runtimes).length === 0)
  missing('The SDK’s other runtimes (Node 20, Bun, Deno)', 'node scripts/runtimes.ts');
if (!chdb) missing('ClickHouse’s engine (chdb)', 'node scripts/clickhouse.ts');

const templates = stack.use(await makeTemplates(postgres?.url));
Object.assign(environment, templates.environment);

if (chromiumFile) defaultFiles.push('dashboard/tests/*.test.ts');
else missing('Chromium', 'apt-get install chromium');

function missing(engine: string, how: string): void {
  process.stderr.write(
    `\n*** ${engine} is not on this machine: its tests are SKIPPED. To run them: ${how}\n\n`,
  );
  if (isCi) throw new Error(`${engine} is missing, and CI leaves nothing out.`);
}

const given = process.argv.slice(2);
const files = given.length > 0 ? given : defaultFiles;
// Node’s own number is one file at a time on two cores, which then wait for a browser or an engine half of the time.
const concurrency = Math.max(2, availableParallelism() - 1);
const options = ['--test', '--test-timeout=300000', `--test-concurrency=${concurrency}`];
const child = spawn(process.execPath, [...options, ...files], {
  stdio: 'inherit',
  // Every file is a process that loads most of the server.
  env: { NODE_COMPILE_CACHE: path.resolve('node_modules/.cache/node'), ...process.env, ...environment },
});
process.exitCode = await new Promise<number>((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
