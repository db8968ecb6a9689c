import { collect } from '../core/collect.ts';
import type { Run } from '../core/run.ts';
import { ago, bytes } from '../core/text.ts';
import type { storageList } from '../descriptions/storage.ts';
import { openStorage, type StoredObject } from '../storage/bucket.ts';
import { placeOf } from '../storage/places.ts';

export const run: Run<typeof storageList> = async (context, { arguments: given, options }) => {
  const { out } = context;
  const { client, app, at } = await openStorage(context, options);
  if (given.place === undefined) {
    const buckets = await collect(client.storage.listBuckets(app, { ...at, limit: 100 }));
    return out.result(buckets, () => {
      if (buckets.length === 0) return out.note('There are no buckets. Run `mainstay storage mb <name>`.');
      out.table(buckets, [
        { title: 'Name', value: ({ name }) => name, style: out.paint.bold },
        { title: 'Visibility', value: ({ visibility }) => visibility, isFixed: true },
        { title: 'Created', value: ({ createdAt }) => ago(createdAt), isFixed: true },
        { title: 'Id', value: ({ id }) => id, isFixed: true, style: out.paint.dim },
      ]);
    });
  }
  const place = placeOf(given.place.includes(':') ? given.place : `${given.place}:`);
  const { bucket, key } = place.kind === 'remote' ? place : { bucket: given.place, key: '' };
  const query = { ...at, prefix: key, delimiter: options.recursive ? '' : '/', limit: 1000 };
  const folders: string[] = [];
  const objects: StoredObject[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await client.storage.listObjects(app, bucket, {
      ...query,
      ...(cursor === undefined ? {} : { cursor }),
    });
    folders.push(...page.commonPrefixes);
    objects.push(...page.items);
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  out.result({ folders, objects }, () => {
    const rows = [
      ...folders.map((name) => ({ name, size: '', changed: '' })),
      ...objects.map((one) => ({
        name: one.key,
        size: bytes(one.contentLength),
        changed: ago(one.updatedAt),
      })),
    ];
    if (rows.length === 0) return out.note('No objects found.');
    out.table(rows, [
      { title: 'Name', value: ({ name }) => name },
      { title: 'Size', value: ({ size }) => size, isFixed: true, alignsRight: true },
      { title: 'Changed', value: ({ changed }) => changed, isFixed: true },
    ]);
  });
};
