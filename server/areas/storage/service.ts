/**
 * What storage offers to other areas and commands. The rules are in the files named here, free of HTTP: `buckets.ts`
 * (create, change, delete), `objects.ts` (put), `deletion.ts` (trash, delete as S3 does, purge, restore), `copies.ts`,
 * `listing.ts`, `uploads.ts` and `append.ts` (sessions), `content.ts` (bytes in and out, encrypted where they are).
 */

export { checkBlobs } from './blob-check.ts';
export {
  findPiece,
  insertGarbage,
  insertPieces,
  listAllPieces,
  listPieces,
  type PieceRow,
  placePieces,
  removePiece,
} from './blob-store.ts';
export { type Buckets, changeBucket, createBucket, deleteBucket } from './buckets.ts';
export { contentForCopy, demandPresent } from './copies.ts';
export { deleteKey, purgeObject } from './deletion.ts';
export { allowOrigin, findCorsRule } from './files/cors.ts';
export { parseRanges } from './files/ranges.ts';
export { applyLifecycles, fitsLifecycle } from './lifecycle.ts';
export { type ListResult, listObjects } from './list-store.ts';
export { afterPrefix, keyProblem } from './names.ts';
export {
  findLive,
  findNullVersion,
  findObject,
  findReadable,
  listOthers,
  type ObjectRow,
  updateObject,
} from './object-store.ts';
export { attributesOf, type NewContent, type ObjectAttributes, putObject, storeObject } from './objects.ts';
export { requestLineOf } from './request-line.ts';
export {
  bucketGone,
  bucketQueue,
  charge,
  demandRoom,
  demandRoomBeside,
  type StorageDeps,
  type WriteConditions,
} from './rules.ts';
export type { CorsRule, LifecycleRule } from './schema.ts';
export {
  addUsage,
  type BucketRow,
  findBucket,
  findBucketBySlug,
  findUsage,
  listBuckets,
} from './store.ts';
export type { Traffics } from './traffic.ts';
export { findUpload, insertUpload, listMultipart, type UploadRow, updateUpload } from './upload-store.ts';
export { closeUpload, isOpen } from './uploads.ts';
export { listAllVersions } from './version-store.ts';
