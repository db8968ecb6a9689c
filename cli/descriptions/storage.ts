import { dryRun, inApplication, inEnvironment } from '../core/choose-options.ts';
import { describe } from '../core/describe.ts';

const where = { ...inApplication, ...inEnvironment };
const remote = 'bucket:path of an object, such as photos:2026/a.jpg';
const recursive = {
  recursive: { type: 'boolean', short: 'r', summary: 'Include everything below it' },
} as const;
const jobs = {
  jobs: { type: 'number', short: 'j', value: 'COUNT', summary: 'Concurrent files; default 16' },
} as const;

export const storageList = describe({
  name: 'list',
  aliases: ['ls'],
  summary: 'List buckets or objects',
  arguments: { place: { summary: 'bucket, or bucket:folder/', optional: true } },
  options: { ...where, ...recursive },
  examples: [
    ['mainstay storage ls', 'The buckets'],
    ['mainstay storage ls photos:2026/ --recursive', 'All objects of a folder'],
  ],
});

export const storageCopy = describe({
  name: 'cp',
  summary: 'Copy files to a bucket, from a bucket, or within it',
  details: `One side is ${remote}. A name ending in / is a folder; - is stdin or stdout. Interrupted transfers resume\nwhen the same command runs again.`,
  arguments: { from: { summary: 'File, folder or object' }, to: { summary: 'File, folder or object' } },
  options: {
    ...where,
    ...recursive,
    ...jobs,
    'content-type': { type: 'string', value: 'TYPE', summary: 'Content type; default: by file name' },
    ...dryRun,
  },
  examples: [
    ['mainstay storage cp logo.png photos:', 'To a bucket'],
    ['mainstay storage cp -r dist photos:site/', 'A folder'],
    ['mainstay storage cp photos:logo.png -', 'To stdout'],
  ],
});

export const storageMove = describe({
  name: 'mv',
  summary: 'Move or rename an object',
  arguments: { from: { summary: remote }, to: { summary: remote } },
  options: where,
  examples: [['mainstay storage mv photos:a.jpg photos:2026/a.jpg', 'To a folder']],
});

export const storageRemove = describe({
  name: 'rm',
  summary: 'Move objects to the trash',
  arguments: { places: { summary: remote, rest: true } },
  options: { ...where, ...recursive, ...dryRun },
  examples: [
    ['mainstay storage rm photos:2025/ --recursive --dry-run', 'Lists what would be moved to the trash'],
  ],
});

export const storageSync = describe({
  name: 'sync',
  summary: 'Sync a local folder to a bucket, or a bucket to a local folder',
  details: 'Files with the same size and SHA-256 are skipped.',
  arguments: {
    from: { summary: 'Local folder or bucket:folder/' },
    to: { summary: 'Local folder or bucket:folder/' },
  },
  options: {
    ...where,
    ...jobs,
    delete: { type: 'boolean', summary: 'Delete files that are not in the source' },
    ...dryRun,
  },
  examples: [['mainstay storage sync dist photos:site/ --delete', 'Mirror a folder']],
});

export const storagePresign = describe({
  name: 'presign',
  summary: 'Create a signed URL of an object',
  arguments: { place: { summary: remote } },
  options: {
    ...where,
    expires: { type: 'string', value: 'TIME', summary: 'Lifetime: 60s to 24h; default 1h' },
    download: { type: 'boolean', summary: 'Browsers download it instead of displaying it' },
  },
  examples: [['mainstay storage presign photos:a.jpg --expires 1h', 'For anyone with the URL']],
});

export const storageBucketsCreate = describe({
  name: 'mb',
  summary: 'Create a bucket',
  arguments: { name: { summary: '3 to 63 of a-z, 0-9 and -' } },
  options: { ...where, public: { type: 'boolean', summary: 'Make all objects publicly readable' } },
  examples: [['mainstay storage mb photos --env production', 'A private one']],
});

export const storageBucketsDelete = describe({
  name: 'rb',
  summary: 'Delete a bucket',
  arguments: { name: { summary: 'Its name or id' } },
  options: { ...where, force: { type: 'boolean', summary: 'Delete all of its objects too' }, ...dryRun },
  examples: [['mainstay storage rb photos --force', 'With what is in it']],
});

export const s3List = describe({
  name: 'list',
  aliases: ['ls'],
  summary: 'List the S3 credentials of an application',
  options: inApplication,
  examples: [['mainstay s3 credentials --app web', 'Without their secrets']],
});
export const s3Create = describe({
  name: 'create',
  summary: 'Create a credential for S3 clients; its secret is shown once',
  arguments: { name: { summary: 'Name of the key' } },
  options: {
    ...inApplication,
    ...inEnvironment,
    'read-only': { type: 'boolean', summary: 'Read-only access' },
    bucket: { type: 'string', value: 'BUCKET', summary: 'Limit access to this bucket' },
    prefix: { type: 'string', value: 'TEXT', summary: 'Limit access to keys with this prefix' },
    expires: {
      type: 'string',
      value: 'TIME',
      summary: 'Expires in 30d or 12h; default: with the key that creates it',
    },
  },
  examples: [
    [
      'eval "$(mainstay s3 credentials create backup --bucket backups)"',
      'Into the variables that aws and restic read',
    ],
  ],
});
export const s3Revoke = describe({
  name: 'revoke',
  aliases: ['delete', 'rm'],
  summary: 'Revoke an S3 credential',
  arguments: { id: { summary: 'Its id or its access key id' } },
  options: { ...inApplication, ...dryRun },
  examples: [['mainstay s3 credentials revoke MSAK1234', 'By its access key id']],
});
