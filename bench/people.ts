import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPostgres } from '../scripts/postgres.ts';
import { type Browser, signedUp } from '../server/testing/browser.ts';
import { createDatabase } from '../server/testing/engines.ts';
import { bootstrapCommand } from '../server/testing/process.ts';
import type { Contestant } from './lib/contestant.ts';
import { type Figures, measure, median } from './lib/load.ts';
import { startMainstay } from './lib/mainstay.ts';
import { ratio, report } from './lib/report.ts';

/**
 * Refreshing the tokens of people at /idp: each use of a refresh token replaces it, so every connection keeps its own. One
 * core for the server. Beside it, on the same server: the same read of the API with a token and with a session.
 */

const seconds = 5;
const families = 32;
const rounds = 3;
const redirectUri = 'http://127.0.0.1/callback';
const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-bench-'));
await using postgres = await startPostgres();

try {
  await runOn('sqlite', { MAINSTAY_DATA_DIR: path.join(folder, 'sqlite') });
  if (postgres) {
    const { url } = await createDatabase(postgres.url);
    await runOn('postgres', { MAINSTAY_DATA_DIR: path.join(folder, 'postgres'), MAINSTAY_DATABASE_URL: url });
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function runOn(engine: string, settings: Record<string, string>): Promise<void> {
  await bootstrapCommand(settings);
  await using server = await startMainstay(settings);
  const browser = await signedUp(server.url, 'bench@example.com');
  const tokens: string[] = [];
  for (let count = 0; count < families; count++)
    tokens.push((await grant(server.url, browser)).refresh_token);
  await refreshing(server, tokens, 1);
  const taken: Figures[] = [];
  for (let round = 0; round < rounds; round++) taken.push(await refreshing(server, tokens, seconds));
  const refresh = median(taken);

  const { access_token } = await grant(server.url, browser);
  const route = { method: 'GET', path: '/organizations' } as const;
  const read = (headers: Record<string, string>) =>
    measure(server, [{ ...route, headers }], { seconds: 3, connections: 32 });
  const withToken = await read({ authorization: `Bearer ${access_token}` });
  const withSession = await read({ cookie: browser.cookieHeader(), 'x-mainstay-session': '1' });
  report(`people on ${engine}`, {
    'token refresh': refresh,
    'a read with a granted token': withToken,
    'the same with a session': withSession,
  });
  ratio('refreshes a second, of 300', refresh.requestsPerSecond / 300, 'at least 1');
  ratio('a session beside a token, CPU', withToken.cpuMicros / withSession.cpuMicros, 'at least 0.7');
}

interface Tokens {
  access_token: string;
  refresh_token: string;
}

async function grant(url: string, browser: Browser): Promise<Tokens> {
  const verifier = randomBytes(32).toString('base64url');
  const request = new URLSearchParams({
    client_id: 'mainstay-cli',
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid offline_access platform:organizations:read',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const body = { request: `${request}`, approve: true };
  const { redirectTo } = (await browser.call('POST', '/idp/oauth2/consent', { body })).body;
  return exchange(url, {
    grant_type: 'authorization_code',
    code: new URL(redirectTo).searchParams.get('code') ?? '',
    redirect_uri: redirectUri,
    code_verifier: verifier,
  });
}

async function exchange(url: string, fields: Record<string, string>): Promise<Tokens> {
  const body = new URLSearchParams({ client_id: 'mainstay-cli', ...fields });
  const response = await fetch(`${url}/idp/oauth2/token`, { method: 'POST', body });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Tokens;
}

/** Every family refreshes as fast as it is answered; `tokens` holds the good ones afterwards. */
async function refreshing(server: Contestant, tokens: string[], forSeconds: number): Promise<Figures> {
  const times: number[] = [];
  const cpuBefore = await server.cpuSeconds();
  const startedAt = performance.now();
  await Promise.all(
    tokens.map(async (_, at) => {
      while (performance.now() - startedAt < forSeconds * 1000) {
        const sentAt = performance.now();
        const fields = { grant_type: 'refresh_token', refresh_token: tokens[at] as string };
        tokens[at] = (await exchange(server.url, fields)).refresh_token;
        times.push(performance.now() - sentAt);
      }
    }),
  );
  const taken = (performance.now() - startedAt) / 1000;
  const cpu = (await server.cpuSeconds()) - cpuBefore;
  times.sort((a, b) => a - b);
  const at = (share: number) => Math.round((times[Math.floor(times.length * share)] as number) * 10) / 10;
  return {
    requestsPerSecond: times.length / taken,
    p50: at(0.5),
    p99: at(0.99),
    longest: Math.round((times.at(-1) as number) * 10) / 10,
    cpuMicros: (cpu * 1e6) / times.length,
  };
}
