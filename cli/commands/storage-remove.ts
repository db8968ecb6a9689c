import { collect } from '../core/collect.ts';
import { wrongUsage } from '../core/failure.ts';
import { parallel } from '../core/parallel.ts';
import type { Run } from '../core/run.ts';
import { counted } from '../core/text.ts';
import type { storageRemove } from '../descriptions/storage.ts';
import { demandObject, objectsBelow, openStorage, type StoredObject } from '../storage/bucket.ts';
import { remoteOf } from '../storage/places.ts';

const atOnce = 16;

export const run: Run<typeof storageRemove> = async (context, { arguments: { places }, options }) => {
  const { out } = context;
  const storage = await openStorage(context, options);
  const { client, app, at } = storage;
  const found: { bucket: string; object: StoredObject }[] = [];
  for (const text of places) {
    const { bucket, key, isFolder } = remoteOf(text);
    if (!options.recursive) {
      if (isFolder) throw wrongUsage(`${text} is a folder.`, 'Pass --recursive to delete all of it.');
      found.push({ bucket, object: await demandObject(storage, bucket, key) });
      continue;
    }
    const prefix = isFolder ? key : `${key}/`;
    for (const object of await collect(objectsBelow(storage, bucket, prefix))) found.push({ bucket, object });
  }
  const names = found.map(({ bucket, object }) => `${bucket}:${object.key}`);
  if (options['dry-run'])
    return out.result({ dryRun: true, objects: names }, () => {
      for (const name of names) out.line(name);
      out.note(`${names.length} would be moved to the trash.`);
    });
  if (options.recursive && names.length > 0)
    await context.confirm(`Move ${counted(names.length, 'object')} to the trash?`);
  const progress = context.progress('Deleting');
  let count = 0;
  await parallel(found, atOnce, async ({ bucket, object }) => {
    context.signal.throwIfAborted();
    await client.storage.deleteObject(app, bucket, object.id, at);
    progress.say(`${++count} of ${found.length} deleted`);
  }).finally(() => progress.end());
  out.result({ deleted: names }, () => out.success(`${count} moved to the trash.`));
};
