import { readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startInstance } from '#testing/instance.ts';
import { patchUpload, sha256, storageOf } from '#testing/storage.ts';

/** A process for the test of the full disk: has a small file system to itself, fills it, and prints what it saw. */
const [disk = ''] = process.argv.slice(2);
const settings = { MAINSTAY_DATA_DIR: path.join(disk, 'data') };
const home = { folder: disk, settings, [Symbol.asyncDispose]: async () => undefined };
const storage = storageOf(await startInstance('sqlite', { home }));
const bucket = await storage.newBucket();
const before = await storage.stored(bucket, 'before', 'there from the start');
const bytes = Buffer.alloc(8_000_000, 'upload');
const { id, url } = await storage.begin(bucket, 'upload', bytes);
await patchUpload(url, 0, bytes.subarray(0, 1_000_000));

const { bavail, bsize } = statfsSync(disk);
const fill = path.join(disk, 'fill');
writeFileSync(fill, Buffer.alloc(Math.max(0, bavail * bsize - 4_000_000)));

const offsetOf = async () => {
  const { headers } = await fetch(url, { method: 'HEAD', headers: { 'tus-resumable': '1.0.0' } });
  return Number(headers.get('upload-offset'));
};
const upload = (await patchUpload(url, 1_000_000, bytes.subarray(1_000_000))).status;
const offset = await offsetOf();
const unfinished = readdirSync(path.join(disk, 'data/blobs/storage/writing')).length;

const content = Buffer.alloc(700_000, 'direct');
const stored: string[] = [];
let direct = 200;
while (direct === 200) {
  const answer = await storage.put(bucket, `direct-${stored.length}`, content);
  direct = answer.status;
  if (direct === 200) stored.push(answer.body.id);
}
const isRefusedListed = (await storage.keys(bucket)).includes(`direct-${stored.length}`);
let readable = (await storage.contentOf(bucket, before.id)).toString() === 'there from the start';
for (const one of stored) readable &&= (await storage.contentOf(bucket, one)).equals(content);

rmSync(fill);
const goesOn = (await patchUpload(url, offset, bytes.subarray(offset))).status;
const { state } = (await storage.call('GET', `${bucket}/uploads/${id}`)).body;
const { items } = (await storage.call('GET', `${bucket}/objects?prefix=upload`)).body;
const isWhole = sha256(await storage.contentOf(bucket, items[0].id)) === sha256(bytes);
process.stdout.write(
  JSON.stringify({
    ...{ upload, offset, unfinished, direct, some: stored.length > 0, isRefusedListed, readable },
    ...{ goesOn, state, isWhole },
  }),
);
process.exit(0);
