import type { Run } from '../core/run.ts';
import type { storageMove } from '../descriptions/storage.ts';
import { demandObject, openStorage } from '../storage/bucket.ts';
import { remoteOf } from '../storage/places.ts';

export const run: Run<typeof storageMove> = async (context, { arguments: given, options }) => {
  const { out } = context;
  const [from, to] = [remoteOf(given.from), remoteOf(given.to)];
  const storage = await openStorage(context, options);
  const { client, app, at } = storage;
  const object = await demandObject(storage, from.bucket, from.key);
  const key = to.isFolder ? to.key + (from.key.split('/').at(-1) ?? '') : to.key;
  if (from.bucket === to.bucket) await client.storage.moveObject(app, from.bucket, object.id, key, at);
  else {
    await client.storage.copyObject(app, from.bucket, object.id, { key, bucket: to.bucket }, at);
    await client.storage.deleteObject(app, from.bucket, object.id, at);
  }
  const answer = { from: `${from.bucket}:${from.key}`, to: `${to.bucket}:${key}` };
  out.result(answer, () => out.success(`${answer.from} is ${answer.to} now.`));
};
