import type { Environments, Transferred } from '#accounts/applications/service.ts';
import { systemSource } from '#accounts/audit-log/service.ts';
import type { AddressBlocks } from '#core/addresses.ts';
import { counted } from '#core/counted.ts';
import type { Maybe } from '#core/maybe.ts';
import { Outgoing } from '#core/outgoing.ts';
import type { RequestLog } from '#core/request-log.ts';
import type { Series } from '#core/series.ts';
import type { SettingsOf } from '#core/settings.ts';
import type { Area, OpenedArea, Parts } from '#http/area.ts';
import type { Once } from '#http/idempotency.ts';
import { Addresses } from './addresses.ts';
import { bucketRoutes } from './bucket-routes.ts';
import { Buckets, createBucket, moveBuckets } from './buckets.ts';
import { Contents, sealedStorage } from './content.ts';
import { FilesServer } from './files/server.ts';
import { applyLifecycles } from './lifecycle.ts';
import { objectRoutes } from './object-routes.ts';
import { Pictures } from './pictures.ts';
import { prefixRoutes } from './prefix-routes.ts';
import { putRoutes } from './put-routes.ts';
import type { RouteDeps } from './requests.ts';
import type { StorageDeps, StorageLimits } from './rules.ts';
import { storageSettings } from './settings.ts';
import { countBucketsOf, findBucketByName } from './store.ts';
import {
  collectGarbage,
  collectOrphans,
  purgeApplication,
  sweepBuckets,
  sweepTrash,
  sweepUploads,
} from './sweep.ts';
import { totalsRoutes } from './totals-routes.ts';
import { bytesByOrganization } from './totals-store.ts';
import { Traffics } from './traffic.ts';
import { trashRoutes } from './trash-routes.ts';
import { uploadRoutes } from './upload-routes.ts';
import { versionRoutes } from './version-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';
import { sendEvents } from './webhooks.ts';

export const area = {
  settings: { heading: 'Storage', group: storageSettings },
  products: { storage: 'Storage' },
  tables: [
    ...['storage_buckets', 'storage_usage', 'storage_objects', 'storage_uploads', 'storage_pieces'],
    ...['storage_garbage', 'storage_usage_days', 'storage_events', 'storage_renditions'],
    ...['storage_deliveries', 'storage_inline'],
  ],
  sealedColumns: sealedStorage,
} satisfies Area;

export interface StorageNeeds {
  once: Once;
  environments: Pick<Environments, 'resolve' | 'use'>;
  /** Told when an application changes its organization. */
  transferred: Transferred[];
  /** Null: the application is deleted or its organization suspended. */
  organizationOf(applicationId: string): Maybe<string | null>;
  hasAccess(organizationId: string | null, product: string): Maybe<boolean>;
  requestLog: RequestLog;
  trustedProxies: AddressBlocks;
  series: Series;
}

export function open(
  parts: Parts<
    'db' | 'vault' | 'clock' | 'log' | 'blobs' | 'baseUrl' | 'cacheEntries',
    typeof storageSettings
  >,
  needs: StorageNeeds,
): OpenedArea & {
  storage: RouteDeps & { traffics: Traffics };
  /** Makes those of the buckets that the environment does not have; what is there stays as it is. */
  ensureBuckets(
    place: { organizationId: string; applicationId: string; environmentId: string },
    wanted: readonly { name: string; visibility: 'public' | 'private' }[],
  ): Promise<void>;
} {
  const { db, vault, clock, log, blobs, baseUrl, cacheEntries, settings } = parts;
  const contents = new Contents({
    ...{ db, vault, clock, blobs: blobs.storage },
    ...{ encrypts: settings.storageEncryption, inlineBytes: settings.storageInline },
  });
  const deps: StorageDeps = { db, clock, contents, limits: limitsOf(settings) };
  const traffics = new Traffics({ db, clock });
  const buckets = new Buckets({ db, max: cacheEntries });
  let base = (settings.filesUrl?.href ?? `http://localhost:${settings.filesPort}`).replace(/\/+$/, '');
  const addresses = new Addresses({ vault, base: () => base });
  const { once, environments } = needs;
  const routeDeps: RouteDeps = { ...deps, buckets, environments, addresses };
  environments.use({
    async activeIn(tx, environmentId) {
      const count = await countBucketsOf(tx, environmentId);
      return count === 0 ? null : counted(count, 'bucket');
    },
  });
  needs.transferred.push((tx, { id, to }) => moveBuckets(tx, id, to));
  const { organizationOf, hasAccess, requestLog, trustedProxies: trusted } = needs;
  const host = () => new URL(base).host.toLowerCase();
  const pictures = settings.storagePictures
    ? new Pictures(deps, { seconds: settings.storagePictureTimeout })
    : null;
  const files = new FilesServer({
    ...{ ...deps, log, buckets, addresses, traffics, pictures, requestLog, organizationOf, hasAccess, host },
    ...{ trusted, dashboard: new URL(baseUrl).origin },
  });
  const outgoing = new Outgoing({ allowed: settings.storageWebhookNetworks });
  const measure = async () => {
    for (const { organizationId, bytes } of await bytesByOrganization(db))
      needs.series.measure(organizationId, 'storageBytes', bytes);
  };
  const webhooks = { ...deps, log, outgoing };
  return {
    storage: { ...routeDeps, traffics },
    ensureBuckets: (place, wanted) =>
      db.write(async (tx) => {
        for (const bucket of wanted)
          if (!(await findBucketByName(tx, place.environmentId, bucket.name)))
            await createBucket(tx, deps, systemSource, { ...place, ...bucket });
      }),
    routes: [
      bucketRoutes({ ...routeDeps, once }),
      webhookRoutes({ ...routeDeps, ...webhooks, once }),
      totalsRoutes({ db }),
      objectRoutes({ ...routeDeps, once }),
      prefixRoutes(routeDeps),
      putRoutes({ ...routeDeps, traffics }),
      trashRoutes(routeDeps),
      versionRoutes(routeDeps),
      uploadRoutes({ ...routeDeps, once }),
    ],
    listeners: [
      {
        name: 'stored files',
        async listen({ port = settings.filesPort } = {}) {
          const address = await files.listen(settings.filesHost ?? '127.0.0.1', port);
          // A free port is known only now.
          if (!settings.filesUrl && port === 0) base = address;
          return address;
        },
        drain: () => files.drain(),
        close: () => files.close(),
      },
    ],
    tasks: [
      { everySeconds: 10, name: 'count the traffic of storage', work: () => traffics.flush() },
      { everySeconds: 300, name: 'measure what is stored', work: measure },
      { everySeconds: 2, name: 'send events of buckets', work: () => sendEvents(webhooks) },
      { everySeconds: 60, name: 'sweep upload sessions', work: () => sweepUploads(deps) },
      { everySeconds: 60, name: 'remove deleted buckets', work: () => sweepBuckets(deps) },
      { everySeconds: 60, name: 'delete unused blobs', work: () => collectGarbage(deps, blobs.storage) },
      { everySeconds: 600, name: 'empty the trash of buckets', work: () => sweepTrash(deps) },
      { everySeconds: 3600, name: 'apply lifecycle rules', work: () => applyLifecycles(deps) },
      { everySeconds: 21_600, name: 'find lost blobs', work: () => collectOrphans(deps, blobs.storage) },
    ],
    pageOrigins: () => [new URL(base).origin],
    purgeApplication: (id) => purgeApplication(deps, id),
    close: () => traffics.flush().catch((err) => log.warn({ err }, 'The last traffic was not counted.')),
  };
}

function limitsOf(settings: SettingsOf<typeof storageSettings>): StorageLimits {
  return {
    buckets: settings.storageBuckets,
    bucketBytes: settings.storageBucketBytes,
    bucketObjects: settings.storageBucketObjects,
    directBytes: settings.storageDirectBytes,
    uploadSeconds: settings.storageUploadLifetime,
    openUploads: settings.storageOpenUploads,
    trashSeconds: settings.storageTrash,
    garbageSeconds: settings.storageGarbage,
  };
}
