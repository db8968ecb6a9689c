import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../scripts/postgres.ts';
import { bootstrapCommand } from '../server/testing/process.ts';
import { type Contestant, onCore, startContestant } from './lib/contestant.ts';
import { type Figures, measure, median, type Request } from './lib/load.ts';
import { bearer, startMainstay, startScript } from './lib/mainstay.ts';
import { ratio, report } from './lib/report.ts';

/**
 * The AI gateway with durable rows and a budget, against a proxy on Node that does nothing else and against Portkey's
 * gateway, which writes nothing down. The provider answers at once, on the core of the load. One contestant runs at a
 * time, started once a round; what fails or takes too long is named at the end, and the rest is measured all the same.
 */

const rounds = 2;
const seconds = 2;
const latencyTimes = 1000;
const memorySeconds = 10;
const portkeyVersion = '1.15.2';
/** Of a single measurement, its start included. */
const limitSeconds = 40;
const kinds = ['JSON', 'SSE'] as const;
type Kind = (typeof kinds)[number];
const messages = [{ role: 'user', content: 'Say twenty words.' }];
const sentences = [{ role: 'user', content: 'A sentence of a long text. '.repeat(11_000) }];

interface Entry {
  start(): Promise<Contestant>;
  headers: Record<string, string>;
}

interface Latency {
  first: { p50: number; p99: number };
  whole: { p50: number; p99: number };
}

const figures = new Map<string, Figures[]>();
const latencies = new Map<string, Latency[]>();
const missing: string[] = [];

const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-bench-'));
const settings = { MAINSTAY_DATA_DIR: folder };
const provider = await startOnOtherCore('floor-ai-provider.ts');
try {
  const headers = await prepare();
  const portkey = await attempt('Portkey', portkeyScript, 120);
  const contestants: Record<string, Entry> = {
    ours: { start: () => startMainstay(settings), headers },
    raw: { start: () => startScript('floor-ai-proxy.ts', [provider.url]), headers: {} },
    ...(portkey && {
      portkey: {
        start: () => startScript('portkey.ts', [portkey], '/'),
        headers: {
          authorization: 'Bearer none',
          'x-portkey-provider': 'openai',
          'x-portkey-custom-host': `${provider.url}/v1`,
        },
      },
    }),
  };
  for (let round = 0; round < rounds; round++) {
    for (const kind of kinds) await askOften(`direct ${kind}`, provider, requestOf('raw', {}, kind));
    for (const [name, entry] of Object.entries(contestants)) await run(name, entry);
  }
  for (const kind of kinds) tell(kind, Object.keys(contestants));
  tellOf('A body of 300 KB', 'large', Object.keys(contestants));
  await attempt('memory', () => memory(contestants['ours'] as Entry), 6 * memorySeconds);
} finally {
  await provider[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
}
console.log(missing.length === 0 ? '\nNothing is missing.' : `\nMissing:\n${missing.join('\n')}`);
process.exitCode = missing.length === 0 ? 0 : 1;

/** What is not there in time, or fails, is missing. */
async function attempt<T>(
  what: string,
  work: () => Promise<T>,
  limit = limitSeconds,
): Promise<T | undefined> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`It took longer than ${limit} s.`)), limit * 1000);
  try {
    return await Promise.race([work(), late.promise]);
  } catch (error) {
    missing.push(`${what}: ${(error as Error).message}`);
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** Everything that is measured of a contestant in a round. */
async function run(name: string, { start, headers }: Entry): Promise<void> {
  const contestant = await attempt(`${name}, its start`, start);
  if (!contestant) return;
  await using _stopped = contestant;
  const flood = (key: string, request: Request, connections: number, keeps = true) =>
    attempt(`${name}, ${key}`, async () => {
      const found = await measure(contestant, [request], { seconds, connections });
      if (keeps) figures.set(`${name} ${key}`, [...(figures.get(`${name} ${key}`) ?? []), found]);
    });
  for (const kind of kinds) {
    const request = requestOf(name, headers, kind);
    await flood(`${kind} to warm up`, request, 16, false);
    for (const connections of [1, 64]) await flood(`${kind} ${connections}`, request, connections);
    await askOften(`${name} ${kind}`, contestant, request);
  }
  await flood('large', requestOf(name, headers, 'JSON', sentences), 4);
}

async function askOften(key: string, { url }: Contestant, request: Request): Promise<void> {
  await attempt(`${key}, latency`, async () => {
    latencies.set(key, [...(latencies.get(key) ?? []), await latency(url, request)]);
  });
}

function requestOf(
  name: string,
  headers: Record<string, string>,
  kind: Kind,
  content: readonly object[] = messages,
): Request {
  const model = name === 'ours' ? 'bench/bench' : 'bench';
  const stream = kind === 'SSE' ? { stream: true } : {};
  return {
    method: 'POST',
    path: name === 'ours' ? '/ai/v1/chat/completions' : '/v1/chat/completions',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model, messages: content, max_tokens: 100, ...stream }),
  };
}

/** The medians of one measurement, of those contestants that have it. */
function tellOf(title: string, key: string, names: readonly string[]): Record<string, Figures | undefined> {
  const rows: Record<string, Figures> = {};
  for (const name of names) {
    const found = figures.get(`${name} ${key}`);
    if (found) rows[name] = median(found);
  }
  report(title, rows);
  return rows;
}

function tell(kind: Kind, names: readonly string[]): void {
  for (const connections of [1, 64]) {
    const key = `${kind} ${connections}`;
    const { ours, raw, portkey } = tellOf(`${kind}, ${connections} connections`, key, names);
    if (ours && raw) {
      const wanted = kind === 'JSON' ? 'at most 2.2' : 'no bound';
      ratio('CPU a request, of the raw proxy', ours.cpuMicros / raw.cpuMicros, wanted);
      const share = ours.requestsPerSecond / raw.requestsPerSecond;
      ratio('requests/s, of the raw proxy', share, kind === 'SSE' ? 'at least 0.8' : 'no bound');
    }
    if (ours && portkey)
      ratio(
        'requests/s, of Portkey',
        ours.requestsPerSecond / portkey.requestsPerSecond,
        kind === 'JSON' ? 'at least 8' : 'no bound',
      );
  }
  const best = (key: string) => latencies.get(key)?.toSorted((a, b) => a.whole.p99 - b.whole.p99)[0];
  const direct = best(`direct ${kind}`);
  for (const name of names) {
    const found = best(`${name} ${kind}`);
    if (!found || !direct) continue;
    const added = (part: 'first' | 'whole', share: 'p50' | 'p99') =>
      `${share} ${(found[part][share] - direct[part][share]).toFixed(2)} ms`;
    console.log(
      `${kind}, ${name}: added latency ${added('whole', 'p50')} (at most 0.5), ${added('whole', 'p99')} (2); ` +
        `to the first byte ${added('first', 'p50')} (1), ${added('first', 'p99')}`,
    );
  }
}

/** Resident memory under load, early and late. */
async function memory({ start, headers }: Entry): Promise<void> {
  await using contestant = await start();
  const request = requestOf('ours', headers, 'JSON');
  let requests = 0;
  for (let part = 0; part < 4; part++) {
    const options = { seconds: memorySeconds, connections: 64 };
    const { requestsPerSecond } = await measure(contestant, [request], options);
    requests += Math.round(requestsPerSecond * memorySeconds);
    const megabytes = (await contestant.residentBytes()) / 1024 ** 2;
    console.log(`memory: ${megabytes.toFixed(0)} MB after ${requests} requests (at most 150)`);
  }
}

async function latency(url: string, { path: place, headers, body }: Request): Promise<Latency> {
  const script = path.join(import.meta.dirname, 'lib/ai-latency.ts');
  const [program = '', ...args] = onCore('1', [process.execPath, script]);
  const ask = async (times: number): Promise<Latency> => {
    const child = spawn(program, args, {
      stdio: ['pipe', 'pipe', 'inherit'],
      timeout: limitSeconds * 1000,
      killSignal: 'SIGKILL',
    });
    child.stdin.end(JSON.stringify({ url, path: place, headers, body, times }));
    let output = '';
    for await (const piece of child.stdout) output += piece;
    return JSON.parse(output) as Latency;
  };
  await ask(latencyTimes / 4);
  return ask(latencyTimes);
}

async function startOnOtherCore(script: string): Promise<Contestant> {
  const port = await freePort();
  const file = path.join(import.meta.dirname, 'contestants', script);
  const url = `http://127.0.0.1:${port}`;
  return startContestant([process.execPath, file, String(port)], { url, core: '1' });
}

/** A provider, its price, a budget, and a key whose secret is sent as it is. */
async function prepare(): Promise<Record<string, string>> {
  const { keys, organization, application } = await bootstrapCommand(settings);
  await using server = await startMainstay(settings);
  const headers = { ...(await bearer(server.url, keys.user)), 'content-type': 'application/json' };
  const call = async (method: string, place: string, body: object) => {
    const response = await fetch(`${server.url}${place}`, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${place}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  await call('POST', '/admin/ai-gateway/providers', {
    ...{ slug: 'bench', type: 'openai-compatible', baseUrl: `${provider.url}/v1`, allowPrivate: true },
  });
  await call('PUT', '/admin/ai-gateway/models/bench%2Fbench', {
    prices: { input: 100_000, output: 400_000 },
  });
  await call('PUT', `/organizations/${organization.id}/ai-gateway/budgets`, {
    budgets: [{ maxCostMicros: 1e12 }],
  });
  const { secret } = (await call('POST', '/api-keys', {
    name: 'bench',
    applicationId: application.id,
    scopes: ['network:ai_gateway:chat'],
  })) as { secret: string };
  return { authorization: `Bearer ${secret}` };
}

/** Fetched once, beside the packages; it is no part of `npm install`. */
async function portkeyScript(): Promise<string> {
  const place = path.join(import.meta.dirname, '../node_modules/.cache/portkey');
  const file = path.join(place, 'node_modules/@portkey-ai/gateway/build/start-server.js');
  if (existsSync(file)) return file;
  await mkdir(place, { recursive: true });
  await promisify(execFile)(
    'npm',
    [
      ...['install', '--prefix', place, '--ignore-scripts', '--no-audit', '--no-fund'],
      `@portkey-ai/gateway@${portkeyVersion}`,
    ],
    { timeout: 110_000 },
  );
  return file;
}
