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
 * gateway, which writes nothing down. The provider answers at once, on the core of the load.
 */

const rounds = 3;
const seconds = 3;
const portkeyVersion = '1.15.2';
const messages = [{ role: 'user', content: 'Say twenty words.' }];

const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-bench-'));
const provider = await startOnOtherCore('floor-ai-provider.ts');
try {
  const portkey = await portkeyScript();
  const contestants: Record<string, { start: () => Promise<Contestant>; headers: Record<string, string> }> = {
    ours: { start: () => startMainstay(settings()), headers: await prepare() },
    raw: { start: () => startScript('floor-ai-proxy.ts', [provider.url]), headers: {} },
    portkey: {
      start: () => startScript('portkey.ts', [portkey], '/'),
      headers: {
        authorization: 'Bearer none',
        'x-portkey-provider': 'openai',
        'x-portkey-custom-host': `${provider.url}/v1`,
      },
    },
  };
  for (const kind of ['JSON', 'SSE'] as const) await compare(kind, contestants);
  await large(contestants);
  await memory(contestants);
} finally {
  await provider[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
}

function settings(): Record<string, string> {
  return { MAINSTAY_DATA_DIR: folder };
}

function requestOf(
  name: string,
  kind: 'JSON' | 'SSE',
  headers: Record<string, string>,
  text?: string,
): Request {
  const content = text === undefined ? messages : [{ role: 'user', content: text }];
  const model = name === 'ours' ? 'bench/bench' : 'bench';
  const stream = kind === 'SSE' ? { stream: true } : {};
  return {
    method: 'POST',
    path: name === 'ours' ? '/ai/v1/chat/completions' : '/v1/chat/completions',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model, messages: content, max_tokens: 100, ...stream }),
  };
}

async function compare(
  kind: 'JSON' | 'SSE',
  contestants: Record<string, { start: () => Promise<Contestant>; headers: Record<string, string> }>,
): Promise<void> {
  const direct = await latency(provider.url, requestOf('raw', kind, {}));
  for (const connections of [1, 64]) {
    const figures: Record<string, Figures[]> = {};
    for (let round = 0; round < rounds; round++)
      for (const [name, { start, headers }] of Object.entries(contestants)) {
        await using contestant = await start();
        const request = requestOf(name, kind, headers);
        await measure(contestant, [request], { seconds: 2, connections });
        figures[name] = [
          ...(figures[name] ?? []),
          await measure(contestant, [request], { seconds, connections }),
        ];
      }
    const rows = Object.fromEntries(Object.entries(figures).map(([name, all]) => [name, median(all)]));
    report(`${kind}, ${connections} connections`, rows);
    const { ours, raw, portkey } = rows as Record<'ours' | 'raw' | 'portkey', Figures>;
    ratio('CPU a request, of the raw proxy', ours.cpuMicros / raw.cpuMicros, 'at most 2.2');
    ratio('CPU a request of Portkey, of ours', portkey.cpuMicros / ours.cpuMicros, 'at least 8');
    ratio('requests/s, of the raw proxy', ours.requestsPerSecond / raw.requestsPerSecond, 'at least 0.8');
  }
  for (const [name, { start, headers }] of Object.entries(contestants)) {
    await using contestant = await start();
    const { first, whole } = await latency(contestant.url, requestOf(name, kind, headers));
    const added = (one: number, other: number) => (one - other).toFixed(2);
    console.log(
      `${kind}, ${name}: added latency p50 ${added(whole.p50, direct.whole.p50)} ms, p99 ${added(whole.p99, direct.whole.p99)} ms; ` +
        `to the first byte p50 ${added(first.p50, direct.first.p50)} ms, p99 ${added(first.p99, direct.first.p99)} ms`,
    );
  }
}

/** A body of 300 KB, a connection at a time. */
async function large(
  contestants: Record<string, { start: () => Promise<Contestant>; headers: Record<string, string> }>,
): Promise<void> {
  const rows: Record<string, Figures> = {};
  for (const [name, { start, headers }] of Object.entries(contestants)) {
    await using contestant = await start();
    const request = requestOf(name, 'JSON', headers, 'A sentence of a long text. '.repeat(11_000));
    await measure(contestant, [request], { seconds: 1, connections: 4 });
    rows[name] = await measure(contestant, [request], { seconds, connections: 4 });
  }
  report('A body of 300 KB', rows);
}

/** Resident memory under load, early and late. */
async function memory({
  ours,
}: Record<string, { start: () => Promise<Contestant>; headers: Record<string, string> }>): Promise<void> {
  if (!ours) return;
  await using contestant = await ours.start();
  const request = requestOf('ours', 'JSON', ours.headers);
  for (const label of ['early', 'later', 'late']) {
    const { requestsPerSecond } = await measure(contestant, [request], { seconds: 10, connections: 64 });
    const megabytes = (await contestant.residentBytes()) / 1024 ** 2;
    console.log(
      `memory ${label}: ${megabytes.toFixed(0)} MB after ${Math.round(requestsPerSecond * 10)} requests more`,
    );
  }
}

interface Latency {
  first: { p50: number; p99: number };
  whole: { p50: number; p99: number };
}

async function latency(url: string, { path: place, headers, body }: Request): Promise<Latency> {
  const script = path.join(import.meta.dirname, 'lib/ai-latency.ts');
  const [program = '', ...args] = onCore('1', [process.execPath, script]);
  const ask = async (times: number): Promise<Latency> => {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin.end(JSON.stringify({ url, path: place, headers, body, times }));
    let output = '';
    for await (const piece of child.stdout) output += piece;
    return JSON.parse(output) as Latency;
  };
  await ask(500);
  return ask(2000);
}

async function startOnOtherCore(script: string): Promise<Contestant> {
  const port = await freePort();
  const file = path.join(import.meta.dirname, 'contestants', script);
  const url = `http://127.0.0.1:${port}`;
  return startContestant([process.execPath, file, String(port)], { url, core: '1' });
}

/** A provider, its price, a budget, and a key whose secret is sent as it is. */
async function prepare(): Promise<Record<string, string>> {
  const { keys, organization, application } = await bootstrapCommand(settings());
  await using server = await startMainstay(settings());
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
  await promisify(execFile)('npm', [
    ...['install', '--prefix', place, '--ignore-scripts', '--no-audit', '--no-fund'],
    `@portkey-ai/gateway@${portkeyVersion}`,
  ]);
  return file;
}
