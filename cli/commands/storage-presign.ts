import type { Run } from '../core/run.ts';
import { secondsOf } from '../core/time.ts';
import type { storagePresign } from '../descriptions/storage.ts';
import { demandObject, openStorage } from '../storage/bucket.ts';
import { remoteOf } from '../storage/places.ts';

export const run: Run<typeof storagePresign> = async (context, { arguments: { place }, options }) => {
  const { out } = context;
  const { bucket, key } = remoteOf(place);
  const storage = await openStorage(context, options);
  const object = await demandObject(storage, bucket, key);
  const answer = await storage.client.storage.accessUrl(storage.app, bucket, object.id, {
    ...storage.at,
    expiresInSeconds: secondsOf(options.expires ?? '1h'),
    ...(options.download ? { download: true } : {}),
  });
  out.result(answer, () => out.line(answer.url));
};
