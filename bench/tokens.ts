import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../scripts/postgres.ts';
import { scopesFor } from '../server/core/scopes.ts';
import { type Contestant, startContestant } from './lib/contestant.ts';
import { type Figures, measure, median, type Request } from './lib/load.ts';
import { bootstrapped, serverCommand } from './lib/mainstay.ts';
import { ratio, report } from './lib/report.ts';
import { verification } from './lib/verification.ts';

/** The token endpoint against its floor and against oidc-provider, in turn, several rounds. */

const rounds = 3;
const load = { seconds: 5, connections: 32 };
const here = (name: string) => path.join(import.meta.dirname, 'contestants', name);

const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-bench-'));
const clientId = '0190a000-0000-7000-8000-000000000001';
const secret = 'a-secret-of-the-same-length-as-ours-is-in-this-bench';
const scope = scopesFor('application').join(' ');
try {
  const keys = await bootstrapped(folder);
  const ours = keys.keys.application;
  const contestants: Record<string, { start: () => Promise<Contestant>; id: string; secret: string }> = {
    ours: { ...ours, start: () => startServer(folder) },
    floor: { id: clientId, secret, start: () => startPeer('floor-tokens.ts', '/healthz') },
    'oidc-provider': { id: clientId, secret, start: () => startPeer('oidc-provider.ts', '/jwks') },
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
  await verification(folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function startServer(dataDir: string): Promise<Contestant> {
  const port = await freePort();
  const env = { MAINSTAY_DATA_DIR: dataDir, MAINSTAY_PORT: String(port), MAINSTAY_ADMIN_PORT: '0' };
  return startContestant(serverCommand('serve'), { url: `http://127.0.0.1:${port}`, env });
}

async function startPeer(script: string, readyPath: string): Promise<Contestant> {
  const port = await freePort();
  const command = [process.execPath, here(script), String(port), clientId, secret, scope];
  return startContestant(command, { url: `http://127.0.0.1:${port}`, readyPath });
}
