import { isAddressBlock } from '#core/addresses.ts';
import { duration, flag, integer, list, size, text, url } from '#core/settings.ts';

export const storageSettings = {
  filesPort: integer({
    name: 'MAINSTAY_FILES_PORT',
    meaning: 'Port of stored files and uploads. 0 takes any free one.',
    fallback: 4002,
    min: 0,
    max: 65_535,
  }),
  filesHost: text({
    name: 'MAINSTAY_FILES_HOST',
    meaning: 'Address that the port of stored files listens on.',
    shown: '127.0.0.1',
  }),
  filesUrl: url({
    name: 'MAINSTAY_FILES_URL',
    meaning:
      'Public address of stored files. It must be another host or port than MAINSTAY_BASE_URL, so that a stored page ' +
      'never runs as the dashboard. With a name for all its sub-domains (`*.files.example.com`), each bucket has one.',
    protocols: ['http:', 'https:'],
    shown: 'http://localhost:PORT',
  }),
  storageEncryption: flag({
    name: 'MAINSTAY_STORAGE_ENCRYPTION',
    meaning:
      'Whether new content is encrypted at rest (AES-256-GCM, under a key of its bucket). What is stored stays as it is.',
    fallback: false,
  }),
  storageInline: size({
    name: 'MAINSTAY_STORAGE_INLINE',
    meaning:
      'Objects up to this size are kept in the database, where storing them takes one durable write. 0 keeps every ' +
      'object in the blob store. What is stored stays where it is.',
    fallback: '16KiB',
    maxBytes: 64 * 1024,
  }),
  storageBuckets: integer({
    name: 'MAINSTAY_STORAGE_BUCKETS',
    meaning: 'How many buckets an application may have.',
    fallback: 100,
    min: 1,
    max: 100_000,
  }),
  storageBucketBytes: size({
    name: 'MAINSTAY_STORAGE_BUCKET_SIZE',
    meaning:
      'What a bucket may hold, versions and trash included. A bucket can have a lower limit of its own.',
    fallback: '1TiB',
    minBytes: 1024,
    maxBytes: 2 ** 52,
  }),
  storageBucketObjects: integer({
    name: 'MAINSTAY_STORAGE_BUCKET_OBJECTS',
    meaning: 'How many objects a bucket may hold, versions and trash included.',
    fallback: 100_000_000,
    min: 1,
    max: 1_000_000_000_000,
  }),
  storageDirectBytes: size({
    name: 'MAINSTAY_STORAGE_DIRECT_SIZE',
    meaning: 'Largest object that one PUT of the API stores. Larger ones go through upload sessions.',
    fallback: '32MiB',
    minBytes: 1024,
    maxBytes: 1024 ** 3,
  }),
  storageUploadLifetime: duration({
    name: 'MAINSTAY_STORAGE_UPLOAD_LIFETIME',
    meaning: 'How long an upload session may take from its creation.',
    fallback: '24h',
    minSeconds: 60,
    maxSeconds: 30 * 86_400,
  }),
  storageOpenUploads: integer({
    name: 'MAINSTAY_STORAGE_OPEN_UPLOADS',
    meaning: 'How many upload sessions may be open at once in a bucket.',
    fallback: 50_000,
    min: 1,
    max: 10_000_000,
  }),
  storageTrash: duration({
    name: 'MAINSTAY_STORAGE_TRASH',
    meaning: 'How long a deleted object stays in the trash before it is permanently removed.',
    fallback: '30d',
    minSeconds: 60,
  }),
  storageGarbage: duration({
    name: 'MAINSTAY_STORAGE_GARBAGE',
    meaning:
      'How long bytes stay on the disk once nothing refers to them any more: longer than the longest download.',
    fallback: '1h',
    minSeconds: 1,
    maxSeconds: 30 * 86_400,
  }),
  storageWebhookNetworks: list({
    name: 'MAINSTAY_STORAGE_WEBHOOK_NETWORKS',
    meaning:
      'Addresses and CIDR blocks that are not public and that webhooks of buckets may go to all the same.',
    accepts: isAddressBlock,
    expected: 'a list of addresses or CIDR blocks separated by commas',
  }),
  storagePictures: flag({
    name: 'MAINSTAY_STORAGE_PICTURES',
    meaning: 'Whether images can be requested in another size or format (`?width=…&format=webp`).',
    fallback: true,
  }),
  storagePictureTimeout: duration({
    name: 'MAINSTAY_STORAGE_PICTURE_TIMEOUT',
    meaning:
      'How long a request waits for an image to be processed before 503 is returned. Processing continues.',
    fallback: '20s',
    minSeconds: 1,
    maxSeconds: 600,
  }),
};
