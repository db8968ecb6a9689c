import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bootstrapCommand } from '../server/testing/process.ts';
import { type Figures, measure, median } from './lib/load.ts';
import { bearer, startMainstay, startScript } from './lib/mainstay.ts';
import { ratio, report } from './lib/report.ts';
import { addManyApplications } from './lib/seed.ts';

/** Pulls and lists of applications against a bare route that sends the same bytes; the list again among very many. */

const load = { seconds: 3, connections: 32 };
const rounds = 3;
const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-bench-'));
const settings = { MAINSTAY_DATA_DIR: path.join(folder, 'data') };

try {
  const { keys, organization, application } = await bootstrapCommand(settings);
  const list = `/applications?organizationId=${organization.id}&limit=10`;
  const pull = `/applications/${application.id}/env-vars/pull?environment=production`;
  await addManyApplications(settings, { organizationId: organization.id, applications: 1000 });
  const before = await run('list of 10 applications', list, 'at least 0.5', keys.user);
  await run('resolved pull of 100 variables', pull, 'at least 0.4', keys.application, fill);
  console.log('\nAdding 100 000 applications ...');
  const more = { organizationId: organization.id, applications: 99_000 };
  await addManyApplications(settings, { ...more, organizationId: await another(keys.user) });
  const after = await run('list of 10 applications among 100 000', list, 'at least 0.5', keys.user);
  ratio('of before', after / before, 'above 0.9');

  async function fill(url: string, headers: Record<string, string>): Promise<void> {
    const content = Array.from({ length: 100 }, (_, at) => `VARIABLE_${at}=https://example.com/${at}`).join(
      '\n',
    );
    const response = await fetch(`${url}/applications/${application.id}/env-vars/import`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ content }),
    });
    if (!response.ok) throw new Error(await response.text());
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** An organization for the many. */
async function another(key: { id: string; secret: string }): Promise<string> {
  await using server = await startMainstay(settings);
  const headers = { ...(await bearer(server.url, key)), 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'Many' });
  const response = await fetch(`${server.url}/organizations`, { method: 'POST', headers, body });
  return ((await response.json()) as { id: string }).id;
}

/** What share of the floor's speed the route has, by CPU a request. */
async function run(
  name: string,
  route: string,
  wanted: string,
  key: { id: string; secret: string },
  prepare?: (url: string, headers: Record<string, string>) => Promise<void>,
): Promise<number> {
  await using server = await startMainstay(settings);
  const headers = await bearer(server.url, key);
  await prepare?.(server.url, headers);
  const payload = await (await fetch(`${server.url}${route}`, { headers })).text();
  const file = path.join(folder, 'payload.json');
  await writeFile(file, payload);
  await using floor = await startScript('floor-json.ts', [file]);
  const ours: Figures[] = [];
  const bare: Figures[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const [contestant, at, figures] of [
      [server, route, ours],
      [floor, '/payload', bare],
    ] as const) {
      const request = { method: 'GET', path: at, headers } as const;
      await measure(contestant, [request], { ...load, seconds: 1 });
      figures.push(await measure(contestant, [request], load));
    }
  }
  const [us, least] = [median(ours), median(bare)];
  report(`${name}, ${payload.length} bytes`, { ours: us, floor: least });
  const share = least.cpuMicros / us.cpuMicros;
  ratio('of the floor, CPU a request', share, wanted);
  return share;
}
