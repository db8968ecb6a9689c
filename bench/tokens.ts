import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { scopesFor } from '../server/core/scopes.ts';
import { bootstrapCommand } from '../server/testing/process.ts';
import type { Contestant } from './lib/contestant.ts';
import { type Figures, measure, median, type Request } from './lib/load.ts';
import { startMainstay, startScript } from './lib/mainstay.ts';
import { ratio, report } from './lib/report.ts';
import { verification } from './lib/verification.ts';

/** The token endpoint against its floor and against oidc-provider, in turn, several rounds. */

const rounds = 5;
const load = { seconds: 5, connections: 32 };

const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-bench-'));
const clientId = '0190a000-0000-7000-8000-000000000001';
const secret = 'a-secret-of-the-same-length-as-ours-is-in-this-bench';
const scope = scopesFor('application').join(' ');
try {
  const keys = await bootstrapCommand({ MAINSTAY_DATA_DIR: folder });
  const ours = keys.keys.application;
  const contestants: Record<string, { start: () => Promise<Contestant>; id: string; secret: string }> = {
    ours: { ...ours, start: () => startMainstay({ MAINSTAY_DATA_DIR: folder }) },
    floor: { id: clientId, secret, start: () => startScript('floor-tokens.ts', [clientId, secret, scope]) },
    'oidc-provider': {
      id: clientId,
      secret,
      start: () => startScript('oidc-provider.ts', [clientId, secret, scope], '/jwks'),
    },
  };
  const figures: Record<string, Figures[]> = {};
  for (let round = 0; round < rounds; round++) {
    for (const [name, { start, id, secret: given }] of Object.entries(contestants)) {
      await using contestant = await start();
      const basic = Buffer.from(`${id}:${given}`).toString('base64');
      const request: Request = {
        method: 'POST',
        path: name === 'oidc-provider' ? '/token' : '/oauth2/token',
        headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
        // The peer grants a scope that is asked for; ours and the floor grant what the key has.
        body: `grant_type=client_credentials${name === 'oidc-provider' ? `&scope=${encodeURIComponent(scope)}` : ''}`,
      };
      await measure(contestant, [request], { ...load, seconds: 2 });
      figures[name] = [...(figures[name] ?? []), await measure(contestant, [request], load)];
    }
  }
  const rows = Object.fromEntries(Object.entries(figures).map(([name, all]) => [name, median(all)]));
  report('Tokens', rows);
  const { ours: us, floor, 'oidc-provider': peer } = rows as Record<string, Figures>;
  if (us && floor && peer) {
    ratio('of the floor, CPU a request', floor.cpuMicros / us.cpuMicros, 'at least 0.75');
    ratio('of the floor, requests/s', us.requestsPerSecond / floor.requestsPerSecond, 'at least 0.75');
    ratio('of oidc-provider, CPU a request', peer.cpuMicros / us.cpuMicros, 'at least 3.5');
  }
  await attack(ours);
  await verification(folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Good clients at a steady rate, alone and beside a thousand bad requests a second. */
async function attack(key: { id: string; secret: string }): Promise<void> {
  const request = (secret: string): Request => ({
    method: 'POST',
    path: '/oauth2/token',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: 'client_credentials', client_id: key.id, client_secret: secret }),
  });
  await using server = await startMainstay({ MAINSTAY_DATA_DIR: folder });
  const good = { seconds: 8, connections: 16, rate: 1000 };
  await measure(server, [request(key.secret)], { ...good, seconds: 2 });
  const alone: number[] = [];
  const beside: number[] = [];
  for (let round = 0; round < rounds; round++) {
    alone.push((await measure(server, [request(key.secret)], good)).p99);
    beside.push((await measure(server, [request(key.secret)], { ...good, beside: [request('wrong')] })).p99);
  }
  const middle = (rounds: number[]) => rounds.sort((a, b) => a - b)[Math.floor(rounds.length / 2)] as number;
  const p99 = { alone: middle(alone), beside: middle(beside) };
  ratio('p99 of good clients beside 1 000 bad requests/s, of alone', p99.beside / p99.alone, 'at most 1.2');
  console.log(`  p99 alone ${p99.alone} ms, beside ${p99.beside} ms`);
}
