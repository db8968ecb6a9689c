import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { isDomain, readDomain } from '../server/areas/web-reputation/domain-name.ts';
import { examine } from '../server/areas/web-reputation/examination/examine.ts';
import { FeedData } from '../server/areas/web-reputation/feeds/data.ts';
import { OverridesInForce } from '../server/areas/web-reputation/overrides.ts';
import { openReputation } from '../server/areas/web-reputation/service.ts';
import { systemClock } from '../server/core/clock.ts';
import { readConfig } from '../server/platform/config.ts';
import { startNameServer } from '../server/testing/name-server.ts';
import { bootstrapCommand } from '../server/testing/process.ts';
import type { Contestant } from './lib/contestant.ts';
import { type Figures, measure, median, type Request } from './lib/load.ts';
import { bearer, startMainstay, startScript } from './lib/mainstay.ts';
import { ratio, report } from './lib/report.ts';

/** Domain reputation with millions of names: look-ups, start, memory, requests against the floor, and a swap under load. */

const rounds = 5;
const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-bench-'));
/** A name in twenty belongs to its turn, so that two turns differ a little. */
async function writeNames(file: string, count: number, turn = 0): Promise<void> {
  const suffixes = ['com', 'net', 'org', 'info', 'xyz', 'co.uk', 'de', 'ru', 'top', 'com.br'];
  const out = createWriteStream(file);
  for (let i = 0; i < count; ) {
    let block = '';
    for (const end = Math.min(count, i + 50_000); i < end; i++) {
      const part = i % 20 === 0 ? `t${turn}` : 's';
      block += `${part}${(i * 2_654_435_761) % 4_294_967_296}-${i}.${suffixes[i % 10]}\n`;
    }
    if (!out.write(block)) await new Promise((resolve) => out.once('drain', resolve));
  }
  await new Promise<void>((resolve) => out.end(resolve));
}

const listed = (i: number) => `s${(i * 2_654_435_761) % 4_294_967_296}-${i}.net`;

async function declare(name: string, count: number): Promise<{ feedsFile: string; list: string }> {
  const list = path.join(folder, `${name}.txt`);
  await writeNames(list, count);
  const feedsFile = path.join(folder, `${name}.json`);
  const feed = { id: 'synthetic', status: 'malware', format: 'plain', licence: 'none', file: `${name}.txt` };
  await writeFile(feedsFile, JSON.stringify({ feeds: [feed] }));
  return { feedsFile, list };
}

async function inProcess(count: number): Promise<void> {
  const { feedsFile } = await declare('lookups', count);
  const dataDir = path.join(folder, 'lookups');
  const config = readConfig({
    MAINSTAY_DATA_DIR: dataDir,
    MAINSTAY_REPUTATION_FEEDS_FILE: feedsFile,
    MAINSTAY_REPUTATION_REFRESH: 'false',
  });
  const options = { config, clock: systemClock, log: pino({ level: 'silent' }), version: 'bench' };
  let start = performance.now();
  const first = await openReputation(options);
  await first.feeds.ready();
  const made = performance.now() - start;
  await first.feeds[Symbol.asyncDispose]();

  const { feeds, reputation } = await openReputation(options);
  start = performance.now();
  await feeds.reopen();
  const load = performance.now() - start;
  console.log(
    `\n${feeds.about?.count} names: made in ${(made / 1000).toFixed(1)} s, once a change, in a thread of its own`,
  );
  ratio('load, milliseconds', load, 'under 100');

  // Half of them listed, of the rest half with a label below; every one a text that was not read before.
  const texts = Array.from({ length: 200_000 }, (_, i) => {
    const at = 1 + 10 * ((i * 7919) % (count / 10));
    return i % 2 ? listed(at) : i % 4 ? `www.unknown-${i}.example.com` : `unknown-${i}.org`;
  });
  const none = new OverridesInForce();
  const ours = (text: string) => {
    const domain = readDomain(text);
    return isDomain(domain) && reputation.verdict(domain, none).status;
  };
  const require = createRequire(import.meta.url);
  const mailchecker = require('mailchecker') as { isValid(email: string): boolean };
  const disposable = new Set(require('disposable-email-domains') as string[]);
  const contestants: Record<string, (text: string) => unknown> = {
    ours,
    mailchecker: (text) => mailchecker.isValid(`a@${text}`),
    'disposable-email-domains in a Set': (text) => disposable.has(text),
  };
  const rows: Record<string, Record<string, string | number>> = {};
  for (const [name, ask] of Object.entries(contestants)) {
    for (const text of texts.slice(0, 20_000)) ask(text);
    const all = Array.from({ length: rounds }, () => timesOf(texts, ask));
    const at = (share: number) => {
      const each = all.map((micros) => micros[Math.floor(micros.length * share)] ?? 0).sort((a, b) => a - b);
      return Math.round((each[Math.floor(rounds / 2)] ?? 0) * 10) / 10;
    };
    const names =
      { ours: count, mailchecker: 56_000, 'disposable-email-domains in a Set': disposable.size }[name] ?? 0;
    rows[name] = { names, 'p50 us': at(0.5), 'p99 us': at(0.99), 'p99.9 us': at(0.999) };
    if (name === 'ours')
      ratio('a whole verdict (name, overrides, lists, squats), p99 in microseconds', at(0.99), 'under 50');
  }
  console.table(rows);
  const known = texts.filter((_, i) => i % 2).every((text) => ours(text) === 'malware');
  if (!known) throw new Error('A listed name was not found: nothing was measured.');
  await feeds[Symbol.asyncDispose]();
}

/** Microseconds of each, the shortest first. */
function timesOf(texts: readonly string[], ask: (text: string) => unknown): Float64Array {
  const micros = new Float64Array(texts.length);
  for (const [i, text] of texts.entries()) {
    const before = performance.now();
    ask(text);
    micros[i] = (performance.now() - before) * 1000;
  }
  return micros.sort();
}

async function memory(count: number): Promise<void> {
  const { feedsFile } = await declare('memory', count);
  const few = await declare('few', 1000);
  const ask = Array.from({ length: 50 }, (_, i) => `domain=${listed(1 + 10 * ((i * 97) % 100))}`);
  const resident = async (name: string, file: string) => {
    const dataDir = path.join(folder, name);
    // The index is made by a server of its own: what that costs is over when the next one starts.
    await using feeds = new FeedData({
      log: pino({ level: 'silent' }),
      settings: {
        ...{ folder: path.join(dataDir, 'web-reputation'), feedsFile: file, protectedNamesFile: undefined },
        ...{ network: false, leastShare: 0, timeoutSeconds: 1, userAgent: 'bench' },
      },
    });
    await feeds.ready();
    const { server, headers } = await startServer(dataDir, { MAINSTAY_REPUTATION_FEEDS_FILE: file });
    await using contestant = server;
    for (let i = 0; i < 1000; i++) {
      const query = ask.slice(i % 45, (i % 45) + 5).join('&');
      const response = await fetch(`${contestant.url}/web-reputation/domain?${query}`, { headers });
      if (response.status !== 200) throw new Error(`status ${response.status}`);
      await response.arrayBuffer();
    }
    await sleep(1000);
    return contestant.residentBytes();
  };
  const idle = await resident('few', few.feedsFile);
  const full = await resident('memory', feedsFile);
  console.log(
    `\nresident: ${(idle / 1e6).toFixed(0)} MB with 1 000 names, ${(full / 1e6).toFixed(0)} MB with ${count}`,
  );
  ratio('more, MB', (full - idle) / 1e6, 'under 60');
}

async function startServer(dataDir: string, env: Record<string, string>) {
  const settings = { MAINSTAY_DATA_DIR: dataDir, MAINSTAY_REPUTATION_REFRESH: 'false', ...env };
  const { keys } = await bootstrapCommand(settings);
  const server = await startMainstay(settings);
  const headers = await bearer(server.url, keys.application);
  // The first answer waits until the index is made.
  const first = await fetch(`${server.url}/web-reputation/domain?domain=example.com`, { headers });
  if (first.status !== 200) throw new Error(`status ${first.status}: ${await first.text()}`);
  return { server, headers, operator: await bearer(server.url, keys.user) };
}

async function requests(count: number): Promise<void> {
  const { feedsFile, list } = await declare('requests', count);
  // A thousand names, listed and not, and two hundred requests that ask for five of them each.
  const names = Array.from({ length: 1000 }, (_, i) =>
    i % 3
      ? `${i % 2 ? 'www.' : ''}unknown-${i}.example-${i % 7}.com`
      : `${i % 2 ? 'a.' : ''}${listed(1 + 10 * i)}`,
  );
  const queries = Array.from({ length: 200 }, (_, i) => {
    const five = names.slice(5 * i, 5 * i + 5);
    return `/web-reputation/domain?${five.map((name) => `domain=${name}`).join('&')}`;
  });
  await using dns = await startNameServer();
  for (const name of names) dns.zones.set(name, { mx: ['mx.example.com'], ttl: 86_400 });
  const dataDir = path.join(folder, 'requests');
  const env = { MAINSTAY_REPUTATION_FEEDS_FILE: feedsFile, MAINSTAY_DNS_SERVERS: dns.address };
  const figures: Record<string, Figures[]> = {};
  const load = { seconds: 5, connections: 32 };
  const ask = (headers: Record<string, string>): Request[] =>
    queries.map((query) => ({ method: 'GET', path: query, headers }));
  const run = async (name: string, contestant: Contestant, requests: Request[]) => {
    await measure(contestant, requests, { ...load, seconds: 2 });
    figures[name] = [...(figures[name] ?? []), await measure(contestant, requests, load)];
  };
  for (let round = 0; round < 3; round++) {
    const { server, headers } = await startServer(dataDir, env);
    await using ours = server;
    await run('ours', ours, ask(headers));
    await using floor = await startScript('floor-reputation.ts', []);
    await run('floor', floor, ask({}));
  }
  const rows = Object.fromEntries(Object.entries(figures).map(([name, all]) => [name, median(all)]));
  report(`Five domains a request, ${count} names, known mail hosts`, rows);
  const { ours, floor } = rows as Record<string, Figures>;
  if (ours && floor) {
    ratio('of the floor, requests/s', ours.requestsPerSecond / floor.requestsPerSecond, 'at least 0.4');
    ratio('of the floor, CPU a request', floor.cpuMicros / ours.cpuMicros, 'at least 0.4');
  }
  await swap(dataDir, env, { list, count, ask });
}

/** The list changes, is read, merged and taken into use while requests continue. */
async function swap(
  dataDir: string,
  env: Record<string, string>,
  { list, count, ask }: { list: string; count: number; ask: (headers: Record<string, string>) => Request[] },
): Promise<void> {
  const { server, headers, operator } = await startServer(dataDir, env);
  await using contestant = server;
  // Less than the core can do: a saturated one would leave the thread that reads the list no time at all.
  const loaded = { connections: 16, rate: 500, seconds: 20 };
  await measure(contestant, ask(headers), { ...loaded, seconds: 2 });
  const quiet = await measure(contestant, ask(headers), loaded);
  await writeNames(list, count, 1);
  const start = Date.now();
  const measuring = measure(contestant, ask(headers), loaded);
  const begun = await fetch(`${contestant.url}/admin/web-reputation/refresh`, {
    method: 'POST',
    headers: operator,
  });
  if (begun.status !== 202) throw new Error(`status ${begun.status}: ${await begun.text()}`);
  const busy = await measuring;
  const response = await fetch(`${contestant.url}/web-reputation/feeds`, { headers });
  const { items } = (await response.json()) as { items: { changedAt: string }[] };
  const changed = Date.parse(items[0]?.changedAt ?? '');
  if (changed < start)
    throw new Error('The new list was not taken into use meanwhile: nothing was measured.');
  report('While a list of as many names is read, merged and taken into use', {
    'in peace': quiet,
    meanwhile: busy,
  });
  ratio('longest request meanwhile, milliseconds', busy.longest, 'under 20');
}

async function squats(): Promise<void> {
  for (const half of ['training', 'test'] as const) {
    const { caught, overall, homoglyphs, imitations, flagged, precision } = await examine(half);
    console.log(`\nSquats, ${half} half`);
    ratio('caught, all kinds', overall, 'at least 0.95');
    ratio('caught, homoglyphs and IDN', homoglyphs, 'at least 0.90');
    ratio('caught, combosquatting', caught.combosquatting, 'at least 0.80');
    ratio('caught, look-alikes as in phishing', imitations, 'at least 0.90');
    ratio('popular names flagged, per cent', flagged * 100, 'at most 0.2');
    ratio('precision where one name in twenty is a squat', precision, 'at least 0.95');
  }
}

try {
  await inProcess(2_000_000);
  await memory(5_000_000);
  await requests(2_000_000);
  await squats();
} finally {
  await rm(folder, { recursive: true, force: true });
}
