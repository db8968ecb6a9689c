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
const rounds = 6;
const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-bench-'));

try {
  const few = await seeded('few');
  const many = await seeded('many');
  console.log('Adding 100 000 applications ...');
  const organizationId = await another(many);
  await addManyApplications(many.settings, { organizationId, applications: 99_000 });

  const list = ({ organization }: Seeded) => `/applications?organizationId=${organization.id}&limit=10`;
  // Side by side in the same rounds: between two runs the machine alone makes more difference than a tenth.
  await run('list of 10 applications', 'at least 0.5', [
    { name: 'among 1 000', of: few, route: list(few), key: few.keys.user },
    { name: 'among 100 000', of: many, route: list(many), key: many.keys.user },
  ]);
  const pull = `/applications/${few.application.id}/env-vars/pull?environment=production`;
  await run('resolved pull of 100 variables', 'at least 0.4', [
    { name: 'ours', of: few, route: pull, key: few.keys.application, prepare: fill(few.application.id) },
  ]);
} finally {
  await rm(folder, { recursive: true, force: true });
}

type Seeded = Awaited<ReturnType<typeof seeded>>;

/** A home with an organization of 1 000 applications. */
async function seeded(name: string) {
  const settings = { MAINSTAY_DATA_DIR: path.join(folder, name) };
  const bootstrapped = await bootstrapCommand(settings);
  const organizationId = bootstrapped.organization.id;
  await addManyApplications(settings, { organizationId, applications: 1000 });
  return { ...bootstrapped, settings };
}

function fill(applicationId: string) {
  return async (url: string, headers: Record<string, string>): Promise<void> => {
    const content = Array.from({ length: 100 }, (_, at) => `VARIABLE_${at}=https://example.com/${at}`).join(
      '\n',
    );
    const response = await fetch(`${url}/applications/${applicationId}/env-vars/import`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ content }),
    });
    if (!response.ok) throw new Error(await response.text());
  };
}

/** An organization for the many. */
async function another({ settings, keys }: Seeded): Promise<string> {
  await using server = await startMainstay(settings);
  const headers = { ...(await bearer(server.url, keys.user)), 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'Many' });
  const response = await fetch(`${server.url}/organizations`, { method: 'POST', headers, body });
  return ((await response.json()) as { id: string }).id;
}

interface Contestant {
  name: string;
  of: Seeded;
  route: string;
  key: { id: string; secret: string };
  prepare?: (url: string, headers: Record<string, string>) => Promise<void>;
}

/** What share of the floor's speed each has, by CPU a request, and of the first one's. */
async function run(name: string, wanted: string, contestants: Contestant[]): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const running = [];
  let payload = '';
  for (const { name, of, route, key, prepare } of contestants) {
    const server = stack.use(await startMainstay(of.settings));
    const headers = await bearer(server.url, key);
    await prepare?.(server.url, headers);
    payload = await (await fetch(`${server.url}${route}`, { headers })).text();
    running.push({ name, server, route, headers, figures: [] as Figures[] });
  }
  const file = path.join(folder, 'payload.json');
  await writeFile(file, payload);
  const floor = stack.use(await startScript('floor-json.ts', [file]));
  const all = [
    ...running,
    { name: 'floor', server: floor, route: '/payload', headers: {}, figures: [] as Figures[] },
  ];
  // Forwards and backwards: whoever is measured first finds a rested machine.
  for (let round = 0; round < rounds; round++)
    for (const { server, route, headers, figures } of round % 2 === 0 ? all : all.toReversed()) {
      const request = { method: 'GET', path: route, headers } as const;
      await measure(server, [request], { ...load, seconds: 1 });
      figures.push(await measure(server, [request], load));
    }
  const medians = all.map(({ name, figures }) => [name, median(figures)] as const);
  report(`${name}, ${payload.length} bytes`, Object.fromEntries(medians));
  const micros = new Map(medians.map(([name, { cpuMicros }]) => [name, cpuMicros]));
  const least = micros.get('floor') ?? Number.NaN;
  const [[first, fewest] = ['', Number.NaN], ...others] = [...micros].filter(([name]) => name !== 'floor');
  ratio(`${first}, of the floor, CPU a request`, least / fewest, wanted);
  for (const [name, value] of others) ratio(`${name}, of ${first}`, fewest / value, 'above 0.9');
}
