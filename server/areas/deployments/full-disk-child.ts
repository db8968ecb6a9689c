import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { deployer } from '#testing/deploying.ts';
import { startInstance } from '#testing/instance.ts';
import type { ZipPart } from '#testing/zip.ts';

/** A process for the test of the full disk: has a small file system to itself, fills it, and prints what it saw. */
const [disk = ''] = process.argv.slice(2);
const dataDir = path.join(disk, 'data');
const settings = { MAINSTAY_DATA_DIR: dataDir, MAINSTAY_RUNNER: 'trusted' };
const home = { folder: disk, settings, [Symbol.asyncDispose]: async () => undefined };
const instance = await startInstance('sqlite', { home });
const tools = deployer(instance);
const mebibyte = 1024 ** 2;

const site = (version: string, commands: string[] = [], more: ZipPart[] = []): ZipPart[] => [
  {
    name: 'mainstay.json',
    content: JSON.stringify({
      ...{ version: 4, assets: 'public', functions: { 'server.js': {} }, build_commands: commands },
      routes: [{ source: '/api/*', destination: 'server.js' }],
    }),
  },
  {
    name: 'server.js',
    content: `require('node:http').createServer((q, s) => s.end('${version}')).listen(process.env.PORT);\n`,
  },
  { name: 'public/index.html', content: `page ${version}` },
  ...more,
];

const free = () => {
  const { bavail, bsize } = statfsSync(disk);
  return bavail * bsize;
};
const filler = path.join(disk, 'fill');
/** Leaves so many bytes. */
const fill = (left: number) => {
  rmSync(filler, { force: true });
  writeFileSync(filler, Buffer.alloc(Math.max(0, free() - left)));
};
const makeRoom = () => rmSync(filler);

const { host } = await tools.deployed(site('one'));
const answers = async () => [(await tools.visit(host, '/')).body, (await tools.visit(host, '/api/x')).body];
const names = (folder: string) => {
  const place = path.join(dataDir, folder);
  return existsSync(place) ? readdirSync(place) : [];
};
const left = () => ({
  builds: names('builds'),
  // What is being unpacked is hidden.
  unpacking: names('functions').filter((name) => /^\.\d/.test(name)),
  caches: names('package-caches'),
});
const seen: Record<string, unknown> = {};
/** What a deployment came to, what continues answering, and what it has left behind. */
const note = async (what: string, ending: Promise<{ status: string; reason: string }>) => {
  const started = performance.now();
  const { status, reason } = await ending;
  const seconds = (performance.now() - started) / 1000;
  seen[what] = { status, reason, seconds, answers: await answers(), left: left() };
};

fill(6 * mebibyte);
const { id } = await tools.call('POST', '/deployments', { applicationId: tools.applicationId });
const { uploadId } = await tools.call('POST', `/deployments/${id}/upload/start`);
const { url } = await tools.call('POST', `/deployments/${id}/upload/part`, { uploadId, partNumber: 1 });
const { pathname, search } = new URL(url);
const put = await fetch(`${instance.url}${pathname}${search}`, {
  method: 'PUT',
  body: Buffer.alloc(12 * mebibyte),
});
seen['upload'] = put.status;

/** A hundredth of it is sent: more would be taken for a bomb. */
const large: ZipPart = { name: 'large.bin', content: Buffer.alloc(12 * mebibyte, randomBytes(16 * 1024)) };
await note('unpacking the archive', tools.deploy(site('large', [], [large])));

fill(18 * mebibyte);
await note('publishing', tools.deploy(site('large', [], [large])));

fill(30 * mebibyte);
await note('starting', tools.deploy(site('large', [], [large])));

fill(20 * mebibyte);
// In pieces, so that the disk is looked at before it is full to the last byte.
const flood =
  'for at in 1 2 3 4 5 6 7 8 9 10; do head -c 4000000 /dev/zero >> big || exit 3; sleep 0.3; done';
await note('building', tools.deploy(site('flood', [flood])));

// Full for the database as well, by others than the build.
makeRoom();
const mark = path.join(disk, 'begun');
const waiting = await tools.call('POST', '/deployments', { applicationId: tools.applicationId });
await tools.send(waiting.id, site('waiting', [`touch ${mark}; sleep 1000`]));
while (!existsSync(mark)) await sleep(20);
fill(0);
for (let isFull = false; !isFull; ) {
  const body = { name: 'x'.repeat(60), organizationId: undefined };
  const { status } = await instance.call('POST', '/api-keys', { as: 'user', body });
  isFull = status === 507;
  fill(0);
}
// The command is ended, and then nothing can be written down.
while (names('builds').length > 0) await sleep(20);
fill(0);
const meanwhile = await tools.call('GET', `/deployments/${waiting.id}`);
seen['meanwhile'] = { status: meanwhile.status, answers: await answers() };
makeRoom();
await note('a full database', tools.ended(waiting.id));

const after = await tools.deploy(site('two'));
seen['afterwards'] = { status: after.status, answers: await answers() };
process.stdout.write(JSON.stringify(seen));
process.exit(0);
