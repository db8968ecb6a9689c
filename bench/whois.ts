import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { fakeRdap } from '../server/areas/whois/testing/rdap-server.ts';
import { bootstrapCommand } from '../server/testing/process.ts';
import type { Contestant } from './lib/contestant.ts';
import { type Figures, measure, median, type Request } from './lib/load.ts';
import { bearer, startMainstay, startScript } from './lib/mainstay.ts';
import { ratio, report } from './lib/report.ts';
import { attempt, type Parser, parsers, type Sample, samples } from './lib/whois-parsers.ts';

/** The WHOIS parser against those of npm on the same texts, and look-ups that are kept against a bare route. */

const data = path.join(import.meta.dirname, '../../shared/data/whois');
const rounds = 5;
const run = promisify(execFile);

/** How many of the expected dates, registrars and name servers a parser gets right, in percent. */
function share(parser: Parser, all: readonly Sample[]): number {
  let expected = 0;
  let right = 0;
  const count = (wanted: unknown, ok: () => boolean) => {
    if (wanted === null || wanted === undefined || wanted === '') return;
    expected++;
    if (ok()) right++;
  };
  for (const { text, domain, expect } of all) {
    const read = attempt(() => parser.read(parser.parse(text, domain) as never));
    for (const field of ['created', 'updated', 'expires'] as const) {
      const wanted = expect[`domain.${field}`];
      count(wanted, () => [wanted.any ?? wanted].flat().some((date: string) => near(read?.[field], date)));
    }
    const registrar = expect['registrar.name'];
    count(registrar, () => read?.registrar?.toLowerCase() === String(registrar).toLowerCase());
    const servers = expect['nameservers'] as string[] | undefined;
    count(servers?.length || null, () => sorted(read?.nameservers ?? []) === sorted(servers ?? []));
  }
  return (100 * right) / expected;
}

function near(given: string | undefined, wanted: string): boolean {
  return given !== undefined && Math.abs(Date.parse(given) - Date.parse(wanted)) <= 1.5 * 86_400_000;
}

function sorted(hosts: string[]): string {
  return [...new Set(hosts.map((host) => host.toLowerCase().split(/[\s[(]/, 1)[0]))].sort().join();
}

/** Records a second of CPU time, in a process of its own: the garbage of one parser must not be swept by another. */
async function rate(name: string): Promise<number> {
  const script = path.join(import.meta.dirname, 'lib/whois-parse-process.ts');
  const { stdout } = await run(process.execPath, [script, name, data], { maxBuffer: 2 ** 28 });
  return Number(stdout.trim().split('\n').at(-1));
}

async function parsing(): Promise<void> {
  if (!existsSync(path.join(data, 'index.jsonl'))) {
    console.log('Parsing is not measured: the collected answers (../shared/data/whois) are not here.');
    return;
  }
  const all = samples(data);
  const contestants = await parsers();
  const rates: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round++) {
    for (const name of Object.keys(contestants)) rates[name] = [...(rates[name] ?? []), await rate(name)];
  }
  const rows = Object.entries(contestants).map(([name, parser]) => {
    const middle = (rates[name] ?? []).sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
    return { name, rate: middle, right: share(parser, all) };
  });
  console.log(`\nParsing ${all.length} answers`);
  console.table(
    Object.fromEntries(
      rows.map(({ name, rate, right }) => [
        name,
        {
          'records/s of CPU': Math.round(rate),
          '% of dates, registrars and name servers right': +right.toFixed(1),
        },
      ]),
    ),
  );
  const us = rows.find(({ name }) => name === 'ours');
  const peers = rows.filter(({ name, right }) => name !== 'ours' && right > 50);
  const fastest = peers.sort((a, b) => b.rate - a.rate)[0];
  if (us && fastest) ratio(`of ${fastest.name}, records/s`, us.rate / fastest.rate, 'at least 1');
}

const answer = {
  ldhName: 'example.bench',
  handle: '123_DOMAIN',
  status: ['client delete prohibited', 'client transfer prohibited'],
  events: [
    { eventAction: 'registration', eventDate: '2001-02-03T00:00:00Z' },
    { eventAction: 'expiration', eventDate: '2090-02-03T00:00:00Z' },
  ],
  nameservers: [{ ldhName: 'ns1.example.bench' }, { ldhName: 'ns2.example.bench' }],
  entities: ['registrant', 'administrative', 'technical'].map((role) => ({
    roles: [role],
    vcardArray: [
      'vcard',
      [
        ['fn', {}, 'text', 'Jane Doe'],
        ['email', {}, 'text', 'jane@example.bench'],
      ],
    ],
  })),
};

async function kept(folder: string): Promise<void> {
  await using registry = await fakeRdap(answer);
  const settings = {
    MAINSTAY_DATA_DIR: folder,
    MAINSTAY_WHOIS_RDAP_SERVICES: `bench=${registry.url}`,
    MAINSTAY_WHOIS_BOOTSTRAP_URL: registry.url,
    MAINSTAY_WHOIS_PRIVATE_ADDRESSES: '127.0.0.2/32',
  };
  const { keys } = await bootstrapCommand(settings);
  const figures: Record<string, Figures[]> = {};
  let record = '';
  for (let round = 0; round < 3; round++) {
    {
      await using ours = await startMainstay(settings);
      const headers = await bearer(ours.url, keys.application);
      const request: Request = { method: 'GET', path: '/whois/domain?domain=example.bench', headers };
      if (round === 0) record = await together(ours, request, registry.paths);
      await measure(ours, [request], { seconds: 2, connections: 32 });
      figures['ours'] = [
        ...(figures['ours'] ?? []),
        await measure(ours, [request], { seconds: 4, connections: 32 }),
      ];
    }
    const file = path.join(folder, 'payload.json');
    await writeFile(file, record);
    await using floor = await startScript('floor-json.ts', [file]);
    const request: Request = { method: 'GET', path: '/payload' };
    await measure(floor, [request], { seconds: 2, connections: 32 });
    figures['floor'] = [
      ...(figures['floor'] ?? []),
      await measure(floor, [request], { seconds: 4, connections: 32 }),
    ];
  }
  const rows = Object.fromEntries(Object.entries(figures).map(([name, all]) => [name, median(all)]));
  report('Look-ups that are kept', rows);
  const { ours, floor } = rows as Record<string, Figures>;
  if (!ours || !floor) return;
  ratio('of the floor, CPU a request', floor.cpuMicros / ours.cpuMicros, 'at least 0.5');
  ratio('of the floor, requests/s', ours.requestsPerSecond / floor.requestsPerSecond, 'at least 0.5');
}

/** Two hundred equal look-ups of a domain that nobody has asked for: returns the record. */
async function together(
  ours: Contestant,
  { path: target, headers = {} }: Request,
  asked: string[],
): Promise<string> {
  const before = asked.filter((url) => url.startsWith('/domain/')).length;
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => fetch(`${ours.url}${target}`, { headers })),
  );
  const bodies = await Promise.all(answers.map((response) => response.text()));
  const queries = asked.filter((url) => url.startsWith('/domain/')).length - before;
  if (answers.some(({ status }) => status !== 200)) throw new Error('Not every look-up was answered.');
  console.log(`\n200 equal look-ups at once made ${queries} upstream query (wanted: 1)`);
  return bodies[0] ?? '';
}

await parsing();
const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-bench-'));
try {
  await kept(folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}
