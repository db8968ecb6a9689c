import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../scripts/postgres.ts';
import { bootstrapCommand } from '../server/testing/process.ts';
import { zip } from '../server/testing/zip.ts';
import { type Figures, measure } from './lib/load.ts';
import { bearer, startMainstay, startScript } from './lib/mainstay.ts';
import { startNginx } from './lib/nginx.ts';
import { ratio, report } from './lib/report.ts';

/**
 * The gateway: a file of 4 KiB, an answer that it keeps, one that a function makes, and the end of a long list of routes, beside
 * bare Node and nginx with the same file; how long deploys, rollbacks and starts of functions take; and what a function notices
 * of a neighbour that computes without end. `--seconds=10` a measurement, `--rounds=10` of what is done one at a time.
 */

const option = (name: string, fallback: number) =>
  Number(process.argv.find((text) => text.startsWith(`--${name}=`))?.split('=')[1] ?? fallback);
const seconds = option('seconds', 5);
const rounds = option('rounds', 5);
/** Processes are frozen by a task that runs this often. */
const freezeMilliseconds = 12_000;
const pauseMilliseconds = 10;
/** Tokens are valid for five minutes. */
const tokenMilliseconds = 120_000;
const content = 'x'.repeat(4096);
const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-bench-'));
/** What is read of answers of the API. */
interface Said {
  id: string;
  uploadId: string;
  url: string;
  status: string;
  reason: string;
  items: { type: string; hostname: string }[];
}

const server = `import http from 'node:http';
http.createServer((q, s) => {
  if (q.url === '/bomb') { s.end('armed'); for (;;); }
  if (q.url === '/kept') s.setHeader('cdn-cache-control', 'max-age=600');
  s.end(${JSON.stringify(content)});
}).listen(process.env.PORT);
`;

try {
  const gatewayPort = await freePort();
  const settings = {
    ...{ MAINSTAY_DATA_DIR: folder, MAINSTAY_GATEWAY_PORT: String(gatewayPort) },
    MAINSTAY_FUNCTION_FREEZE: '1s',
  };
  const { keys, application } = await bootstrapCommand(settings);
  await using mainstay = await startMainstay(settings);
  let [headers, fetchedAt] = [await bearer(mainstay.url, keys.user), performance.now()];
  const host = { host: `web.apps.localhost:${gatewayPort}` };
  const gateway = { ...mainstay, url: `http://127.0.0.1:${gatewayPort}` };

  const call = async (method: string, place: string, body?: unknown) => {
    if (performance.now() - fetchedAt > tokenMilliseconds)
      [headers, fetchedAt] = [await bearer(mainstay.url, keys.user), performance.now()];
    const answer = await fetch(`${mainstay.url}${place}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${place}: ${await answer.text()}`);
    return answer.json() as Promise<Said>;
  };
  /** As `fetch`, which sets the host by itself, cannot. */
  const seen = (place: string) =>
    new Promise<string>((resolve, reject) => {
      const asking = get(`${gateway.url}${place}`, { headers: host }, (answer) => resolve(text(answer)));
      asking.on('error', reject);
    });
  const deploy = async (files: Record<string, string>) => {
    const { id } = await call('POST', '/deployments', { applicationId: application.id });
    const { uploadId } = await call('POST', `/deployments/${id}/upload/start`);
    const { url } = await call('POST', `/deployments/${id}/upload/part`, { uploadId, partNumber: 1 });
    const archive = zip(Object.entries(files).map(([name, body]) => ({ name, content: body })));
    const sent = await fetch(url, { method: 'PUT', body: new Uint8Array(archive) });
    const etag = sent.headers.get('etag') ?? '';
    const started = performance.now();
    await call('POST', `/deployments/${id}/upload/complete`, { uploadId, parts: [{ partNumber: 1, etag }] });
    for (;;) {
      const { status, reason } = await call('GET', `/deployments/${id}`);
      if (status === 'FAILED') throw new Error(reason);
      if (status === 'ACTIVE') return { id, milliseconds: performance.now() - started };
      await sleep(pauseMilliseconds);
    }
  };
  /** The slowest of all rounds, which is what p95 means for so few, after one that is not counted. */
  const slowest = async (work: (round: number) => Promise<number>) => {
    await work(0);
    const all: number[] = [];
    for (let round = 1; round <= rounds; round++) all.push(await work(round));
    return Math.max(...all);
  };
  const timed = async (work: () => Promise<unknown>) => {
    const started = performance.now();
    await work();
    return performance.now() - started;
  };

  const many = (round: number) =>
    Object.fromEntries(
      Array.from({ length: 500 }, (_, at) => [`files/${at}.txt`, `${round} ${at}`.repeat(300)]),
    );
  const site = (round: number) =>
    deploy({ 'index.html': `home ${round}`, 'file.txt': content, ...many(round) });
  const ofFiles = await slowest(async (round) => (await site(round)).milliseconds);
  ratio('500 new files, from complete to active, seconds', ofFiles / 1000, 'under 1 at p95');
  const files = await site(rounds);
  ratio('500 known files, from complete to active, seconds', files.milliseconds / 1000, 'under 1 at p95');

  const one = { seconds, connections: 1 };
  const crowd = { seconds, connections: 64 };
  const asked = (place: string) => [{ method: 'GET' as const, path: place, headers: host }];
  const alone: Record<string, Figures> = {};
  const together: Record<string, Figures> = {};
  const of = async (name: string, contestant: Parameters<typeof measure>[0], place: string) => {
    alone[name] = await measure(contestant, asked(place), one);
    together[name] = await measure(contestant, asked(place), crowd);
  };

  await writeFile(path.join(folder, 'file.txt'), content);
  {
    await using bare = await startScript('floor-hosting.ts', [], '/file.txt');
    await of('bare Node', bare, '/file.txt');
  }
  {
    await using nginx = await startNginx(folder);
    if (nginx) await of('nginx', nginx, '/file.txt');
    else console.log('nginx is not installed: apt-get install nginx');
  }
  await of('gateway, file', gateway, '/file.txt');
  const routes = Array.from({ length: 1024 }, (_, at) => ({
    source: `/route-${at}/:name`,
    destination: '/file.txt',
  }));
  await deploy({
    'mainstay.json': JSON.stringify({ version: 4, assets: 'out', routes }),
    'out/file.txt': content,
  });
  await of('gateway, route 1024', gateway, '/route-1023/x');
  const app = { 'package.json': '{"type":"module","main":"server.js"}', 'server.js': server };
  const ofServers = await slowest(async () => (await deploy(app)).milliseconds);
  ratio('a server, from complete to active, seconds', ofServers / 1000, 'under 2');
  const neighbour = await deploy(app);
  const served = await deploy(app);
  await of('gateway, kept answer', gateway, '/kept');
  await of('gateway, function', gateway, '/made');

  report('One connection', alone);
  report('64 connections', together);
  const share =
    (together['gateway, file']?.requestsPerSecond ?? 0) / (together['bare Node']?.requestsPerSecond ?? 1);
  ratio('file through the gateway, share of bare Node', share, 'at least 0.5');
  const longRoutes = ((alone['gateway, route 1024']?.p99 ?? 0) - (alone['gateway, file']?.p99 ?? 0)) * 1000;
  ratio('added by 1,024 routes, p99, microseconds', longRoutes, 'at most 100');
  const added99 = ((alone['gateway, file']?.p99 ?? 0) - (alone['bare Node']?.p99 ?? 0)) * 1000;
  ratio('added at one connection, p99, microseconds', added99, 'at most 150');
  const added = ((alone['gateway, file']?.p50 ?? 0) - (alone['bare Node']?.p50 ?? 0)) * 1000;
  ratio('added at one connection, p50, microseconds', added, 'at most 50');

  const started = (redeployed: string) => async () => {
    const { id } = await call('POST', `/deployments/${redeployed}/redeploy`);
    for (;;) {
      const { status, reason } = await call('GET', `/deployments/${id}`);
      if (status === 'FAILED') throw new Error(reason);
      if (status === 'ACTIVE') return;
      await sleep(pauseMilliseconds);
    }
  };
  const first: number[] = [];
  const ofRedeploys = await slowest(async () => {
    const took = await timed(started(served.id));
    first.push(await timed(() => seen('/made')));
    return took;
  });
  ratio('redeploy, seconds', ofRedeploys / 1000, 'under 2');
  ratio('first answer of a server that waits, milliseconds', Math.max(...first.slice(1)), 'under 30 at p95');
  const wakes: number[] = [];
  for (let round = 0; round < Math.min(3, rounds); round++) {
    await sleep(freezeMilliseconds);
    wakes.push(await timed(() => seen('/made')));
  }
  ratio('first answer of a frozen server, milliseconds', Math.max(...wakes), 'under 10 at p95');

  const own = await call('GET', `/deployments/${neighbour.id}/hostnames`);
  const ownHost = own.items.find(({ type }) => type === 'DEPLOYMENT')?.hostname ?? '';
  const quiet = await measure(gateway, asked('/made'), { seconds, connections: 4 });
  // The same code, as a function of another deployment.
  await new Promise((resolve) =>
    get(`${gateway.url}/bomb`, { headers: { host: ownHost } }, (answer) => resolve(answer.resume())),
  );
  const loud = await measure(gateway, asked('/made'), { seconds, connections: 4 });
  report('Beside a neighbour', { quiet, 'one computes without end': loud });
  ratio('p99 beside it, times the quiet one', loud.p99 / quiet.p99, 'at most 2');

  const ofRollbacks = await slowest(async (round) => {
    const [to, text] = round % 2 === 0 ? [files.id, `home ${rounds}`] : [served.id, content];
    return timed(async () => {
      await call('POST', `/deployments/${to}/rollback`);
      while ((await seen('/')) !== text) await sleep(pauseMilliseconds);
    });
  });
  ratio('rollback until it is seen, seconds', ofRollbacks / 1000, 'under 1');
} finally {
  await rm(folder, { recursive: true, force: true });
}
