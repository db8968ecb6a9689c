import { duration, flag, integer, type SettingsOf, size, text, url } from '#core/settings.ts';
import type { Area } from '#http/area.ts';

const engineSettings = {
  dataDir: text({
    name: 'MAINSTAY_DATA_DIR',
    meaning: 'Folder of the embedded engines, and of the master key when none is given.',
    shown: './data',
  }),
  workers: integer({
    name: 'MAINSTAY_WORKERS',
    meaning: 'Processes that serve the port together, on one machine.',
    fallback: 1,
    min: 1,
    max: 256,
  }),
  workerTimeout: duration({
    name: 'MAINSTAY_WORKER_TIMEOUT',
    meaning: 'How long one of several processes may hang before it is ended and replaced.',
    fallback: '10s',
    minSeconds: 1,
    maxSeconds: 3600,
  }),
  databaseUrl: url({
    name: 'MAINSTAY_DATABASE_URL',
    meaning: 'PostgreSQL 15 or later to keep the state in, instead of SQLite in the data folder.',
    protocols: ['postgres:', 'postgresql:'],
    shown: 'SQLite',
    secret: true,
  }),
  databaseConnections: integer({
    name: 'MAINSTAY_DATABASE_CONNECTIONS',
    meaning: 'Connections to PostgreSQL that each process can open for requests.',
    fallback: 10,
    min: 1,
    max: 1000,
  }),
  databaseTimeout: duration({
    name: 'MAINSTAY_DATABASE_TIMEOUT',
    meaning:
      'How long a statement may run, and how long a transaction that loses races is repeated before the request is ' +
      'answered 503.',
    fallback: '10s',
    minSeconds: 1,
    maxSeconds: 3600,
  }),
  databaseGrace: duration({
    name: 'MAINSTAY_DATABASE_GRACE',
    meaning:
      'How long a node trusts cached keys, tokens and permissions while PostgreSQL cannot be reached; 60s is a good value. During that time revocations are not effective within a second: see security.md.',
    fallback: '0s',
    maxSeconds: 3600,
  }),
  cacheUrl: url({
    name: 'MAINSTAY_CACHE_URL',
    meaning:
      'Valkey or Redis 6.2 or later to keep the cache in, instead of LMDB in the data folder. A cluster is named by any ' +
      'of its nodes and `?cluster=true`; more of them may follow as `&node=HOST:PORT`.',
    protocols: ['redis:', 'rediss:'],
    shown: 'LMDB',
    secret: true,
  }),
  cacheSize: size({
    name: 'MAINSTAY_CACHE_SIZE',
    meaning:
      'What the items of all applications may count together in LMDB: their keys and values, and 160 bytes each. The ' +
      'file may come to be twice as large.',
    fallback: '4GiB',
    minBytes: 16 * 1024 * 1024,
    maxBytes: 1024 ** 4,
  }),
  cacheTimeout: duration({
    name: 'MAINSTAY_CACHE_TIMEOUT',
    meaning: 'How long Valkey or Redis may take to answer before the request is answered 503.',
    fallback: '2s',
    minSeconds: 1,
    maxSeconds: 60,
  }),
  blobsUrl: url({
    name: 'MAINSTAY_BLOBS_URL',
    meaning:
      'Any S3-compatible engine to keep stored files in, instead of the data folder: ' +
      '`s3://KEY:SECRET@bucket/prefix?endpoint=https://host:9000&region=us-east-1`. Without `endpoint` it is Amazon, ' +
      'without a key its usual places are asked; `pathStyle=false` for engines that want the bucket in the host name.',
    protocols: ['s3:'],
    shown: 'files in the data folder',
    secret: true,
  }),
  logsUrl: url({
    name: 'MAINSTAY_LOGS_URL',
    meaning:
      'ClickHouse 24 or later to keep request logs, runtime logs and AI usage in, instead of the data folder: ' +
      '`clickhouse://USER:PASSWORD@host:8123/database`, or `http://` and `https://` of it. Its tables are made by the server.',
    protocols: ['clickhouse:', 'http:', 'https:'],
    shown: 'SQLite, a file a day',
    secret: true,
  }),
  autoMigrate: flag({
    name: 'MAINSTAY_AUTO_MIGRATE',
    meaning:
      'Whether `serve` brings the database up to date by itself. When false it refuses to start instead.',
    fallback: true,
  }),
  masterKey: text({
    name: 'MAINSTAY_MASTER_KEY',
    meaning:
      'Master key that encrypts secrets at rest: 32 bytes as base64 or hex. Every node needs the same. When neither ' +
      'this nor the file is set, one is made in the data folder.',
    pattern: /^([0-9a-f]{64}|[\w+/-]{43}=?)$/i,
    expected: '32 bytes as base64 or as 64 hexadecimal digits',
    shown: 'data folder',
    secret: true,
  }),
  masterKeyFile: text({
    name: 'MAINSTAY_MASTER_KEY_FILE',
    meaning: 'File that holds the master key, instead of MAINSTAY_MASTER_KEY.',
    shown: 'data folder',
  }),
  smtpUrl: url({
    name: 'MAINSTAY_SMTP_URL',
    meaning: 'Mail server: smtp://user:password@host:587, or smtps:// for TLS from the start.',
    protocols: ['smtp:', 'smtps:'],
    shown: 'none: links are shown instead of sent',
    secret: true,
  }),
  mailFrom: text({
    name: 'MAINSTAY_MAIL_FROM',
    meaning: 'Sender of all mail.',
    pattern: /^[^<>@]*<?[^\s<>@]+@[^\s<>@]+>?$/,
    expected: 'an address, or a name and an address in angle brackets',
    shown: 'Mainstay <mainstay@HOST of the base address>',
  }),
};

export const engines = {
  settings: {
    heading: 'Engines',
    group: engineSettings,
    check: ({ masterKey, masterKeyFile }: SettingsOf<typeof engineSettings>) =>
      masterKey !== undefined && masterKeyFile !== undefined
        ? 'MAINSTAY_MASTER_KEY and MAINSTAY_MASTER_KEY_FILE are both set: set one of them.'
        : undefined,
  },
  // Notifications are worthless once received; migrations are in the manifest of a backup.
  transientTables: ['news', 'migrations'],
} satisfies Area;
