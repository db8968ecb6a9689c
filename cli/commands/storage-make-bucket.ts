import type { Run } from '../core/run.ts';
import type { storageBucketsCreate } from '../descriptions/storage.ts';
import { openStorage } from '../storage/bucket.ts';

export const run: Run<typeof storageBucketsCreate> = async (context, { arguments: { name }, options }) => {
  const { out } = context;
  const { client, app, at } = await openStorage(context, options);
  const bucket = await client.storage.createBucket(app, {
    name,
    ...at,
    visibility: options.public ? 'public' : 'private',
  });
  out.result(bucket, () => out.success(`Bucket ${bucket.name} created.`));
};
