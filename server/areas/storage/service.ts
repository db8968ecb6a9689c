/**
 * What storage offers to other areas and commands. The rules are in the files named here, free of HTTP: `buckets.ts`
 * (create, change, delete), `objects.ts` (put), `deletion.ts` (trash, delete as S3 does, purge, restore), `copies.ts`,
 * `listing.ts`, `uploads.ts` and `append.ts` (sessions), `content.ts` (bytes in and out, encrypted where they are).
 */
export { checkBlobs } from './blob-check.ts';
