import type { Run } from '../core/run.ts';
import type { storageBucketsDelete } from '../descriptions/storage.ts';
import { openStorage } from '../storage/bucket.ts';

export const run: Run<typeof storageBucketsDelete> = async (context, { arguments: { name }, options }) => {
  const { out } = context;
  const { client, app, at } = await openStorage(context, options);
  const bucket = await client.storage.getBucket(app, name, at);
  const what = `the bucket ${bucket.name}${options.force ? ' with all of its objects, including trash' : ''}`;
  if (options['dry-run'])
    return out.result({ dryRun: true, bucket }, () => out.line(`Would delete ${what}.`));
  await context.confirm(`Delete ${what}? This cannot be undone.`);
  await client.storage.deleteBucket(app, bucket.id, {
    ...at,
    ...(options.force ? {} : { onlyIfEmpty: true }),
  });
  out.result({ deleted: bucket.id }, () => out.success(`Bucket ${bucket.name} deleted.`));
};
