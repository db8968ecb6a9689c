import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32, deflateSync } from 'node:zlib';
import { fetchToken } from '../server/testing/instance.ts';
import { bootstrapCommand } from '../server/testing/process.ts';
import { type Contestant, onCore } from './lib/contestant.ts';
import type { HostileJob } from './lib/hostile-process.ts';
import { measure, type Request } from './lib/load.ts';
import { bearer, startMainstay } from './lib/mainstay.ts';

/** What a quiet tenant waits while another sends the worst legal requests that we know, one kind after the other. */

const rounds = 3;
const load = { seconds: 5, connections: 8, rate: 200 };
const wantedMilliseconds = 10;
const json = { 'content-type': 'application/json' };
const mebibyte = 1024 * 1024;

type Hostile = Omit<HostileJob, 'url' | 'connections'> & { connections?: number };

const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-bench-'));
try {
  const { keys } = await bootstrapCommand({ MAINSTAY_DATA_DIR: folder });
  await using server = await startMainstay({
    MAINSTAY_DATA_DIR: folder,
    MAINSTAY_REQUESTS_PER_MINUTE: '120000',
  });
  const user = await fetchToken(server.url, keys.user);
  const quiet: Request = {
    method: 'GET',
    path: '/fastcache?key=quiet',
    headers: await bearer(server.url, keys.application),
  };
  const kept = { method: 'POST', headers: { ...quiet.headers, ...json } };
  await fetch(`${server.url}/fastcache`, {
    ...kept,
    body: JSON.stringify({ key: 'quiet', value: 'x'.repeat(100) }),
  });
  await measure(server, [quiet], { ...load, seconds: 2 });

  const table: Record<string, object> = {};
  for (const [name, hostile] of Object.entries(await hostileRequests(server.url, user))) {
    const alone: number[] = [];
    const beside: number[] = [];
    let statuses = '';
    for (let round = 0; round < rounds; round++) {
      alone.push((await measure(server, [quiet], load)).p99);
      await using other = sendHostile(server, { connections: 4, ...hostile });
      beside.push((await measure(server, [quiet], load)).p99);
      statuses = other.statuses();
    }
    const [quietly, disturbed] = [middle(alone), middle(beside)];
    const more = Math.round((disturbed - quietly) * 100) / 100;
    table[name] = {
      'alone p99 ms': quietly,
      'beside p99 ms': disturbed,
      'more ms': more,
      [`at most ${wantedMilliseconds}`]: more <= wantedMilliseconds ? 'yes' : 'NO',
      answers: statuses,
    };
  }
  console.log(`\nA quiet tenant: ${load.rate} cached reads a second beside another tenant`);
  console.table(table);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Of another organization, with an application and a key of its own. */
async function hostileRequests(url: string, user: string): Promise<Record<string, Hostile>> {
  const call = async (method: string, at: string, body: object) => {
    const headers = { authorization: `Bearer ${user}`, ...json };
    const response = await fetch(`${url}${at}`, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${at}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { id: string; secret: string };
  };
  const { id: organizationId } = await call('POST', '/organizations', { name: 'Loud' });
  const { id: applicationId } = await call('POST', '/applications', { organizationId, name: 'Loud' });
  const scopes = ['fastcache:read', 'fastcache:write'];
  const key = await call('POST', '/api-keys', { name: 'loud', applicationId, scopes });
  const loud = { ...(await bearer(url, key)), ...json };
  const asUser = { authorization: `Bearer ${user}` };
  const variables = `/organizations/${organizationId}/env-vars`;
  await call('POST', variables, { key: 'STARTS', value: '${'.repeat(30_000) });
  const batch = { method: 'POST', path: '/fastcache/batch', headers: loud } as const;
  const operation = (at: number): [string, number][] => [
    [`${at > 0 ? ',' : ''}{"op":"set","key":"k${at}","value":"`, 1],
    ['\\u0041', mebibyte - 8],
    ['"}', 1],
  ];
  const parts = (...all: [string, number][]) => ({ parts: all });
  const picture = largePicture(4000);
  return {
    'names in a batch': { ...batch, body: parts(['{"0":1', 1], [',"x":1', 2_500_000], ['}', 1]) },
    'objects in a batch': { ...batch, body: parts(['{"operations":[{}', 1], [',{}', 6_000_000], [']}', 1]) },
    'a batch of escapes': {
      ...batch,
      body: parts(['{"operations":[', 1], ...[0, 1, 2].flatMap(operation), [']}', 1]),
    },
    'a value of escapes': {
      method: 'POST',
      path: '/fastcache',
      headers: loud,
      body: parts(['{"key":"k","value":"', 1], ['\\u0041', mebibyte - 8], ['"}', 1]),
    },
    'starts of references': { method: 'GET', path: `${variables}/export`, headers: asUser },
    'pictures of 16 megapixels': {
      method: 'PUT',
      path: `/organizations/${organizationId}/image`,
      headers: { ...asUser, 'content-type': 'image/png' },
      body: { base64: picture.toString('base64') },
    },
    'the meter of passwords': {
      method: 'POST',
      path: '/idp/password-strength',
      headers: { 'x-mainstay-session': '1', ...json },
      body: parts(['{"password":"', 1], ['aB3$xQ9!', 8], ['"}', 1]),
      connections: 16,
    },
    'wrong secrets': {
      method: 'POST',
      path: '/oauth2/token',
      headers: json,
      body: parts([`{"grant_type":"client_credentials","client_id":"${key.id}","client_secret":"wrong"}`, 1]),
      connections: 16,
    },
    'cheap requests, as many as go': {
      method: 'GET',
      path: '/fastcache?key=none',
      headers: loud,
      connections: 16,
    },
  };
}

function sendHostile(
  server: Contestant,
  hostile: Omit<HostileJob, 'url'>,
): AsyncDisposable & { statuses(): string } {
  const script = fileURLToPath(new URL('./lib/hostile-process.ts', import.meta.url));
  const [program = '', ...args] = onCore('1', [process.execPath, script]);
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify({ url: server.url, ...hostile } satisfies HostileJob));
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  return {
    statuses: () => output.trim().split('\n').join(' '),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function middle(all: number[]): number {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] as number;
}

/** A square PNG in true colour (PNG specification, 5): a few kilobytes that are large once decoded. */
function largePicture(side: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(typed));
    return Buffer.concat([length, typed, check]);
  };
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  const pixels = deflateSync(Buffer.alloc(side * (1 + 3 * side)));
  const parts = [chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]);
}
