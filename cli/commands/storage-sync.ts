import { rm } from 'node:fs/promises';
import path from 'node:path';
import { collect } from '../core/collect.ts';
import { wrongUsage } from '../core/failure.ts';
import { parallel } from '../core/parallel.ts';
import type { Run } from '../core/run.ts';
import type { storageSync } from '../descriptions/storage.ts';
import { objectsBelow, openStorage, type StoredObject } from '../storage/bucket.ts';
import { downloadFile, sha256Of } from '../storage/download.ts';
import { filesBelow, type LocalFile } from '../storage/local.ts';
import { keyOf, pathBelow, placeOf } from '../storage/places.ts';
import { uploadFile } from '../storage/upload.ts';
import type { Watch } from '../storage/watch.ts';
import { work } from './storage-copy.ts';

const atOnce = 16;

export const run: Run<typeof storageSync> = async (context, { arguments: given, options }) => {
  const { out } = context;
  const [from, to] = [placeOf(given.from), placeOf(given.to)];
  const isUpload = from.kind === 'local' && to.kind === 'remote';
  const remote = isUpload ? to : from;
  const local = isUpload ? from : to;
  if (remote.kind !== 'remote' || local.kind !== 'local')
    throw wrongUsage('One path must be a local folder, the other bucket:folder/.');
  const storage = await openStorage(context, options);
  const { client, app, at } = storage;
  const { bucket } = remote;
  const prefix = remote.isFolder ? remote.key : `${remote.key}/`;
  const folder = path.resolve(context.cwd, local.path);
  const looking = context.progress('Comparing');
  const here = await filesBelow(folder, context.signal).catch((error) => {
    if (!isUpload && error.code === 'ENOENT') return [];
    throw error;
  });
  const there = (await collect(objectsBelow(storage, bucket, prefix))).filter(
    ({ key }) => !key.endsWith('/'),
  );
  const files = new Map(here.map((file) => [keyOf(prefix, file.relative), file]));
  const objects = new Map(there.map((object) => [object.key, object]));
  const changed = new Set<string>();
  await parallel(isUpload ? files.keys() : objects.keys(), atOnce, async (key) => {
    if (!(await isSame(files.get(key), objects.get(key)))) changed.add(key);
  }).finally(() => looking.end());
  const jobs = [...changed].sort().map((key) => {
    const file = files.get(key)?.path ?? pathBelow(folder, key.slice(prefix.length));
    const name = `${bucket}:${key}`;
    return isUpload
      ? {
          ...{ from: file, to: name, size: files.get(key)?.size ?? 0 },
          run: (watch: Watch) => uploadFile(storage, { path: file, bucket, key }, watch),
        }
      : {
          ...{ from: name, to: file, size: objects.get(key)?.contentLength ?? 0 },
          run: (watch: Watch) => downloadFile(storage, objects.get(key) as StoredObject, bucket, file, watch),
        };
  });
  const extra = !options.delete
    ? []
    : isUpload
      ? there.filter(({ key }) => !files.has(key)).map(({ key }) => key)
      : [...files.keys()].filter((key) => !objects.has(key));
  if (options['dry-run']) {
    for (const key of extra) out.note(`would delete ${isUpload ? `${bucket}:${key}` : files.get(key)?.path}`);
    return work(context, jobs, options);
  }
  if (extra.length > 0)
    await context.confirm(
      `Delete ${extra.length} ${isUpload ? 'objects' : 'files'} that the source does not have?`,
    );
  await work(context, jobs, options);
  await parallel(extra, atOnce, async (key) => {
    const object = objects.get(key);
    if (isUpload && object) await client.storage.deleteObject(app, bucket, object.id, at);
    else if (!isUpload) await rm((files.get(key) as LocalFile).path);
  });
  if (extra.length > 0) out.success(`${extra.length} deleted.`);
};

async function isSame(file: LocalFile | undefined, object: StoredObject | undefined): Promise<boolean> {
  if (!file || !object || file.size !== object.contentLength || object.checksumSha256 === null) return false;
  return (await sha256Of(file.path)) === object.checksumSha256;
}
