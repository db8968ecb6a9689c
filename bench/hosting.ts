import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '../scripts/postgres.ts';
import { bootstrapCommand } from '../server/testing/process.ts';
import { zip } from '../server/testing/zip.ts';
import { type Figures, measure } from './lib/load.ts';
import { bearer, startMainstay, startScript } from './lib/mainstay.ts';
import { startNginx } from './lib/nginx.ts';
import { ratio, report } from './lib/report.ts';

/**
 * The gateway: a file of 4 KiB, an answer that it keeps, and one that a function makes, beside bare Node and nginx with the
 * same file; and how long deploys and rollbacks take. `--seconds=10` a measurement.
 */

const seconds = Number(process.argv.find((text) => text.startsWith('--seconds='))?.split('=')[1] ?? 5);
const content = 'x'.repeat(4096);
const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-bench-'));
/** What is read of answers of the API. */
interface Said {
  id: string;
  uploadId: string;
  url: string;
  status: string;
  reason: string;
}

const server = `import http from 'node:http';
http.createServer((q, s) => {
  if (q.url === '/kept') s.setHeader('cdn-cache-control', 'max-age=600');
  s.end(${JSON.stringify(content)});
}).listen(process.env.PORT);
`;

try {
  const gatewayPort = await freePort();
  const settings = { MAINSTAY_DATA_DIR: folder, MAINSTAY_GATEWAY_PORT: String(gatewayPort) };
  const { keys, application } = await bootstrapCommand(settings);
  await using mainstay = await startMainstay(settings);
  const headers = await bearer(mainstay.url, keys.user);
  const host = { host: `web.apps.localhost:${gatewayPort}` };
  const gateway = { ...mainstay, url: `http://127.0.0.1:${gatewayPort}` };

  const call = async (method: string, place: string, body?: unknown) => {
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
    }
  };

  const many = Object.fromEntries(
    Array.from({ length: 500 }, (_, at) => [`files/${at}.txt`, `${at}`.repeat(500)]),
  );
  const files = await deploy({ 'index.html': 'home', 'file.txt': content, ...many });
  ratio('500 files, from complete to active, seconds', files.milliseconds / 1000, 'under 1 at p95');

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
  const served = await deploy({
    'package.json': '{"type":"module","main":"server.js"}',
    'server.js': server,
  });
  ratio('a server, from complete to active, seconds', served.milliseconds / 1000, 'under 2');
  await of('gateway, kept answer', gateway, '/kept');
  await of('gateway, function', gateway, '/made');

  report('One connection', alone);
  report('64 connections', together);
  const share =
    (together['gateway, file']?.requestsPerSecond ?? 0) / (together['bare Node']?.requestsPerSecond ?? 1);
  ratio('file through the gateway, share of bare Node', share, 'at least 0.5');
  const added = ((alone['gateway, file']?.p50 ?? 0) - (alone['bare Node']?.p50 ?? 0)) * 1000;
  ratio('added at one connection, p50, microseconds', added, 'at most 50');

  const started = performance.now();
  await call('POST', `/deployments/${files.id}/rollback`);
  while ((await seen('/')) !== 'home');
  ratio('rollback until it is seen, seconds', (performance.now() - started) / 1000, 'under 1');
} finally {
  await rm(folder, { recursive: true, force: true });
}
