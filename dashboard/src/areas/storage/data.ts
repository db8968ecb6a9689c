import type {
  StorageBucket,
  StorageBucketSettings,
  StorageObject,
  StorageObjectVersion,
  TrashedStorageObject,
} from '@mainstay/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { byPage } from '#api/pages.ts';

/** A bucket of the address: of an application, in the environment that the selector shows. */
export interface Place {
  applicationId: string;
  environment: string;
  bucket: string;
}

export const bucketsQuery = (applicationId: string, environment: string) =>
  queryOptions({
    queryKey: ['storage', applicationId, environment, 'buckets'],
    queryFn: async ({ signal }) => {
      const items: StorageBucket[] = [];
      const query = { environment, limit: 100 };
      for await (const one of api.storage.listBuckets(applicationId, query, { signal })) items.push(one);
      return items;
    },
  });

const keyOf = ({ applicationId, environment, bucket }: Place) =>
  ['storage', applicationId, environment, bucket] as const;

export const settingsQuery = (place: Place) =>
  queryOptions({
    queryKey: [...keyOf(place), 'settings'],
    queryFn: ({ signal }) =>
      api.storage.getSettings(place.applicationId, place.bucket, { environment: place.environment, signal }),
  });

export type SettingsChanges = Parameters<typeof api.storage.updateSettings>[2];

/** What every card of the settings takes. */
export interface SettingsCardProps {
  settings: StorageBucketSettings;
  path: string;
  save: (changes: SettingsChanges) => Promise<unknown>;
}

export const deliveriesQuery = (place: Place) =>
  queryOptions({
    queryKey: [...keyOf(place), 'deliveries'],
    queryFn: ({ signal }) =>
      api.storage.listWebhookDeliveries(place.applicationId, place.bucket, {
        environment: place.environment,
        signal,
      }),
  });

export const versionsQuery = (place: Place, key: string) => ({
  queryKey: [...keyOf(place), 'versions', key],
  ...byPage<StorageObjectVersion>((cursor, signal) => {
    const query = { environment: place.environment, key, ...(cursor ? { cursor } : {}) };
    return api.storage.listVersions(place.applicationId, place.bucket, query, { signal });
  }),
});

export const usageQuery = (place: Place) =>
  queryOptions({
    queryKey: [...keyOf(place), 'usage'],
    queryFn: ({ signal }) =>
      api.storage.usage(place.applicationId, place.bucket, { environment: place.environment }, { signal }),
  });

/** What changes with an object: its lists and the counts. */
export const contentKeys = (place: Place) => [keyOf(place)];

/** A line of the browser: a folder, or an object. */
export type Entry =
  | { kind: 'folder'; id: string; name: string; prefix: string }
  | { kind: 'object'; id: string; name: string; object: StorageObject };

export const entriesQuery = (place: Place, prefix: string) => ({
  queryKey: [...keyOf(place), 'objects', prefix],
  ...byPage<Entry>(async (cursor, signal) => {
    const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
    const query = { environment: place.environment, prefix, limit: 200, ...(cursor ? { cursor } : {}) };
    const page = await api.storage.listObjects(place.applicationId, place.bucket, query, { signal });
    const items: Entry[] = [
      ...page.commonPrefixes.map((one) => ({
        ...{ kind: 'folder' as const, id: one, prefix: one, name: one.slice(folder.length) },
      })),
      ...page.items.map((object) => ({
        kind: 'object' as const,
        id: object.id,
        name: object.key.slice(folder.length) || object.key,
        object,
      })),
    ];
    return { items, total: page.total, ...(page.nextCursor ? { nextCursor: page.nextCursor } : {}) };
  }),
});

export const trashQuery = (place: Place, prefix: string) => ({
  queryKey: [...keyOf(place), 'trash', prefix],
  ...byPage<TrashedStorageObject>((cursor, signal) => {
    const query = { environment: place.environment, prefix, ...(cursor ? { cursor } : {}) };
    return api.storage.listTrash(place.applicationId, place.bucket, query, { signal });
  }),
});

export const storagePath = (applicationId: string) => `/applications/${applicationId}/storage/buckets`;
