import { dryRun, inApplication, inEnvironment } from '../core/choose-options.ts';
import { describe } from '../core/describe.ts';

const where = { ...inApplication, ...inEnvironment };
const remote = 'bucket:path of an object, such as photos:2026/a.jpg';
const recursive = {
  recursive: { type: 'boolean', short: 'r', summary: 'Also everything below it' },
} as const;
const jobs = {
  jobs: { type: 'number', short: 'j', value: 'COUNT', summary: 'Files at once; 16 unless given' },
} as const;

export const storageList = describe({
  name: 'list',
  aliases: ['ls'],
  summary: 'List buckets, or what is in one',
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
  details: `One side is ${remote}. A name ending in / is a folder; - is stdin or stdout. What was broken off goes on\nwhere it was when the same command runs again.`,
  arguments: { from: { summary: 'File, folder or object' }, to: { summary: 'File, folder or object' } },
  options: {
    ...where,
    ...recursive,
    ...jobs,
    'content-type': { type: 'string', value: 'TYPE', summary: 'Instead of the one that its name tells' },
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
});

export const storageRemove = describe({
  name: 'rm',
  summary: 'Move objects to the trash',
  arguments: { places: { summary: remote, rest: true } },
  options: { ...where, ...recursive, ...dryRun },
});

export const storageSync = describe({
  name: 'sync',
  summary: 'Make a folder of a bucket equal to one here, or the other way around',
  details: 'Files of the same size and SHA-256 are left alone.',
  arguments: {
    from: { summary: 'Folder here, or bucket:folder/' },
    to: { summary: 'Folder here, or bucket:folder/' },
  },
  options: {
    ...where,
    ...jobs,
    delete: { type: 'boolean', summary: 'Also delete what the source does not have' },
    ...dryRun,
  },
  examples: [['mainstay storage sync dist photos:site/ --delete', 'Mirror a folder']],
});

export const storagePresign = describe({
  name: 'presign',
  summary: 'Make an address at which an object can be read without a token',
  arguments: { place: { summary: remote } },
  options: {
    ...where,
    expires: { type: 'string', value: 'TIME', summary: 'For so long: 60s to 24h; 1h unless given' },
    download: { type: 'boolean', summary: 'Browsers save it instead of showing it' },
  },
});

export const storageBucketsCreate = describe({
  name: 'mb',
  summary: 'Make a bucket',
  arguments: { name: { summary: '3 to 63 of a-z, 0-9 and -' } },
  options: { ...where, public: { type: 'boolean', summary: 'Everyone can read it' } },
});

export const storageBucketsDelete = describe({
  name: 'rb',
  summary: 'Delete a bucket',
  arguments: { name: { summary: 'Its name or id' } },
  options: { ...where, force: { type: 'boolean', summary: 'With everything in it' }, ...dryRun },
});

export const s3List = describe({
  name: 'list',
  aliases: ['ls'],
  summary: 'List the S3 credentials of an application',
  options: inApplication,
});
export const s3Create = describe({
  name: 'create',
  summary: 'Create a credential for S3 clients; its secret is shown once',
  arguments: { name: { summary: 'What it is for' } },
  options: {
    ...inApplication,
    ...inEnvironment,
    'read-only': { type: 'boolean', summary: 'It may read, and nothing else' },
    bucket: { type: 'string', value: 'BUCKET', summary: 'The only bucket that it reaches' },
    prefix: { type: 'string', value: 'TEXT', summary: 'The only keys that it reaches begin so' },
    expires: {
      type: 'string',
      value: 'TIME',
      summary: 'In 30d or 12h; with the key that makes it unless given',
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
});
