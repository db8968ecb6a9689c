import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPostgres } from '../scripts/postgres.ts';
import { createDatabase } from '../server/testing/engines.ts';
import { bootstrapCommand } from '../server/testing/process.ts';
import { type Figures, measure, median, type Request } from './lib/load.ts';
import { bearer, startMainstay, startScript } from './lib/mainstay.ts';
import { ratio, report } from './lib/report.ts';
import { addManyOrganizations } from './lib/seed.ts';

/** Reads of the account containers against a bare route that sends the same bytes; then again among very many. */

const load = { seconds: 3, connections: 32 };
const rounds = 3;
const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-bench-'));
await using postgres = await startPostgres();

interface Pair {
  us: Figures;
  least: Figures;
}

interface Case {
  path: string;
  wanted: string;
}

try {
  const small = await runOn('sqlite', { MAINSTAY_DATA_DIR: path.join(folder, 'sqlite') });
  if (postgres) {
    const { url } = await createDatabase(postgres.url);
    await runOn('postgres', { MAINSTAY_DATA_DIR: path.join(folder, 'postgres'), MAINSTAY_DATABASE_URL: url });
  }
  const settings = { MAINSTAY_DATA_DIR: path.join(folder, 'sqlite') };
  console.log('\nAdding 100 000 organizations and 1 000 000 memberships ...');
  await addManyOrganizations(settings, { organizations: 100_000, memberships: 1_000_000 });
  const large = await runOn('sqlite, large', settings);
  for (const [name, figures] of Object.entries(large)) {
    // Against the floor of the same minutes: the machine itself is not equally fast all the time.
    const share = ({ us, least }: Pair) => least.cpuMicros / us.cpuMicros;
    ratio(`${name} among very many, of before`, share(figures) / share(small[name] as Pair), 'above 0.9');
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function runOn(engine: string, settings: Record<string, string>): Promise<Record<string, Pair>> {
  const { keys, organization } = await bootstrapCommand(settings);
  await using server = await startMainstay({ ...settings, MAINSTAY_ORGANIZATIONS_PER_MINUTE: '1000' });
  const headers = await bearer(server.url, keys.user);
  await prepare(server.url, headers, organization.id);
  const own = `/organizations/${organization.id}`;
  const cases: Record<string, Case> = {
    'entitlement check': { path: `${own}/products/whois/entitlement`, wanted: 'at least 0.6 on SQLite' },
    'one organization': { path: own, wanted: 'at least 0.5 on SQLite' },
    'list of 10 organizations': { path: '/organizations?limit=10', wanted: 'at least 0.5 on SQLite' },
    'list of 50 variables, from the database and decrypted': {
      path: `${own}/env-vars?limit=100`,
      wanted: 'the first read after a change',
    },
    'list of 50 variables': { path: `${own}/env-vars`, wanted: 'at least 0.4 on SQLite' },
  };
  const results: Record<string, Pair> = {};
  for (const [name, { path: route, wanted }] of Object.entries(cases)) {
    const payload = await (await fetch(`${server.url}${route}`, { headers })).text();
    const file = path.join(folder, 'payload.json');
    await writeFile(file, payload);
    await using floor = await startScript('floor-json.ts', [file]);
    const ours: Figures[] = [];
    const bare: Figures[] = [];
    for (let round = 0; round < rounds; round++) {
      const fresh = await bearer(server.url, keys.user);
      const request: Request = { method: 'GET', path: route, headers: fresh };
      await measure(server, [request], { ...load, seconds: 1 });
      ours.push(await measure(server, [request], load));
      const same: Request = { method: 'GET', path: '/payload', headers: fresh };
      await measure(floor, [same], { ...load, seconds: 1 });
      bare.push(await measure(floor, [same], load));
    }
    const [us, least] = [median(ours), median(bare)];
    report(`${name} on ${engine}, ${payload.length} bytes`, { ours: us, floor: least });
    ratio('of the floor, CPU a request', least.cpuMicros / us.cpuMicros, wanted);
    results[name] = { us, least };
  }
  return results;
}

/** Ten organizations and fifty variables, through the API. Running it again changes nothing. */
async function prepare(url: string, headers: Record<string, string>, organizationId: string): Promise<void> {
  const json = { ...headers, 'content-type': 'application/json' };
  const list = (await (await fetch(`${url}/organizations`, { headers })).json()) as { total: number };
  for (let count = list.total; count < 10; count++) {
    const body = JSON.stringify({ name: `Organization ${count}` });
    const response = await fetch(`${url}/organizations`, { method: 'POST', headers: json, body });
    if (!response.ok) throw new Error(await response.text());
  }
  const content = Array.from(
    { length: 50 },
    (_, count) => `VARIABLE_${count}=https://example.com/value/${count}`,
  ).join('\n');
  const body = JSON.stringify({ content });
  const target = `${url}/organizations/${organizationId}/env-vars/import`;
  const response = await fetch(target, { method: 'POST', headers: json, body });
  if (!response.ok) throw new Error(await response.text());
}
