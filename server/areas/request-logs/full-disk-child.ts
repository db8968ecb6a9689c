import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { startInstance } from '#testing/instance.ts';
import { storageOf } from '#testing/storage.ts';

/**
 * A process for the test of the full disk: its log has a small file system to itself. Fills it, asks on, makes room, and
 * prints what it saw.
 */
const [dataDir = ''] = process.argv.slice(2);
const home = {
  folder: dataDir,
  settings: { MAINSTAY_DATA_DIR: dataDir },
  [Symbol.asyncDispose]: async () => undefined,
};
const said: string[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => said.push(JSON.parse(line).msg) });
const storage = storageOf(await startInstance('sqlite', { home, log }));
const { instance } = storage;
const { logs } = instance.platform;

const bucket = await storage.newBucket({ visibility: 'public' });
const { id } = await storage.stored(bucket, 'k', 'content');
const { url } = (await storage.call('GET', `${bucket}/objects/${id}/access-url`)).body;
const answers = new Set<string>();
let asked = 0;
async function ask(): Promise<void> {
  const response = await fetch(url);
  answers.add(`${response.status} ${await response.text()}`);
  asked++;
}
async function logged(): Promise<number> {
  await logs.flush();
  const query = `storageObjectId=${id}&limit=1`;
  const address = `/applications/${instance.bootstrapped.application.id}/requests?${query}`;
  return (await instance.call('GET', address, { as: 'application' })).body.total;
}
/** A line is written once its answer is sent, a moment after the client has it. */
async function allLogged(): Promise<boolean> {
  for (let tries = 0; tries < 500; tries++) {
    if ((await logged()) >= asked) break;
    await sleep(20);
  }
  return (await logged()) === asked;
}

await ask();
const before = await allLogged();

const disk = path.join(dataDir, 'logs');
const fill = path.join(disk, 'fill');
const { bavail, bsize } = statfsSync(disk);
writeFileSync(fill, Buffer.alloc(bavail * bsize));
const count = (pattern: RegExp) => said.filter((text) => pattern.test(text)).length;
const failed = () => count(/cannot be stored just now; requests go on/);
for (let tries = 0; tries < 100_000 && failed() === 0; tries++) await ask();
// The same lines are tried again every second, and fail again.
for (let rounds = 0; rounds < 35; rounds++) {
  await sleep(100);
  await ask();
}
const whileFull = { failed: failed(), recovered: count(/are stored again/) };

rmSync(fill);
await ask();
const after = await allLogged();
const { dropped } = logs.counts().requests;
process.stdout.write(
  JSON.stringify({
    ...{ answers: [...answers], before, whileFull, after, dropped },
    ...{ failed: failed(), recovered: count(/are stored again/) },
  }),
);
process.exit(0);
