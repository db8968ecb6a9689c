import { duration, flag, integer, text } from '#core/settings.ts';

export const s3Settings = {
  s3Port: integer({
    name: 'MAINSTAY_S3_PORT',
    meaning:
      'Port of the S3 endpoint without a base path, for clients that cannot take one (restic, s3cmd). `/s3` of the main ' +
      'port works besides. 0 takes any free one.',
    fallback: 4003,
    min: 0,
    max: 65_535,
  }),
  s3Host: text({
    name: 'MAINSTAY_S3_HOST',
    meaning: 'Address that the S3 port listens on.',
    shown: '127.0.0.1',
  }),
  s3Domain: text({
    name: 'MAINSTAY_S3_DOMAIN',
    meaning:
      'Domain of the S3 port (`s3.example.com`, with a port where clients need one: `localhost:4003`): each bucket is then ' +
      'also reached at a host of its own below it (`photos.s3.example.com`).',
    shown: '(none: path style only)',
  }),
  s3Region: text({
    name: 'MAINSTAY_S3_REGION',
    meaning: 'Region that S3 clients sign for.',
    shown: 'us-east-1',
  }),
  s3AnyRegion: flag({
    name: 'MAINSTAY_S3_ANY_REGION',
    meaning: 'Whether S3 requests that were signed for another region are accepted, too.',
    fallback: false,
  }),
  s3Credentials: integer({
    name: 'MAINSTAY_S3_CREDENTIALS',
    meaning: 'How many S3 credentials an application may have.',
    fallback: 100,
    min: 1,
    max: 10_000,
  }),
  s3UploadLifetime: duration({
    name: 'MAINSTAY_S3_UPLOAD_LIFETIME',
    meaning: 'How long a multipart upload may stay open before it is aborted.',
    fallback: '7d',
    minSeconds: 60,
    maxSeconds: 365 * 86_400,
  }),
  s3Trash: flag({
    name: 'MAINSTAY_S3_TRASH',
    meaning: 'Whether objects that are deleted over S3 from buckets without versions go to the trash.',
    fallback: false,
  }),
  s3LifecycleDay: duration({
    name: 'MAINSTAY_S3_LIFECYCLE_DAY',
    meaning: 'How long a day of lifecycle rules is. For tests: anything but a day expires objects too early.',
    fallback: '1d',
    minSeconds: 1,
    maxSeconds: 86_400,
  }),
};
