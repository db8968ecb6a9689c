import type { BucketRow, ObjectRow } from '#areas/storage/service.ts';
import { attributesOf } from '#areas/storage/service.ts';
import { type Acl, privateAcl } from './access/acl.ts';
import type { Algorithm } from './wire/checksums.ts';

/** What only S3 knows of buckets, by name. Each may be absent. */
export interface BucketDocuments {
  /** The region by which it was asked for. */
  location?: string;
  acl?: Acl | undefined;
  /** As it was sent. */
  policy?: string | undefined;
  publicAccessBlock?: PublicAccessBlock | undefined;
  ownership?: Ownership | undefined;
  tags?: Record<string, string> | undefined;
  encryption?: { algorithm: 'AES256'; bucketKey: boolean } | undefined;
  objectLock?: { mode: 'GOVERNANCE' | 'COMPLIANCE'; days?: number; years?: number } | undefined;
  /** The lifecycle rules in S3's own words, and the rules of the bucket that were made of them. */
  lifecycle?: { xml: string; rules: string } | undefined;
}

interface PublicAccessBlock {
  blockPublicAcls: boolean;
  ignorePublicAcls: boolean;
  blockPublicPolicy: boolean;
  restrictPublicBuckets: boolean;
}

export const ownerships = ['BucketOwnerEnforced', 'BucketOwnerPreferred', 'ObjectWriter'] as const;
type Ownership = (typeof ownerships)[number];

/** Rows are cached and never changed, so each is parsed once. */
const parsed = new WeakMap<BucketRow, BucketDocuments>();

export function documentsOf(bucket: BucketRow): BucketDocuments {
  let documents = parsed.get(bucket);
  if (!documents) {
    documents = JSON.parse(bucket.documents) as BucketDocuments;
    parsed.set(bucket, documents);
  }
  return documents;
}

export function bucketAcl(bucket: BucketRow): Acl {
  return documentsOf(bucket).acl ?? privateAcl(bucket.application_id);
}

/** What only S3 knows of objects, and of multipart uploads. */
export interface S3Attributes {
  acl?: Acl;
  /** Of the whole content. */
  checksum?: { algorithm: Algorithm; value: string; type: 'FULL_OBJECT' | 'COMPOSITE' };
  /** Of an upload: what its parts and its end have to bring. */
  wanted?: { algorithm: Algorithm; type: 'FULL_OBJECT' | 'COMPOSITE' };
  sse?: 'AES256';
  /** MD5 of the customer's key, in base 64. */
  customerKeyMd5?: string;
  storageClass?: string;
  websiteRedirect?: string;
  /** Of an upload, for the object that comes of it. */
  retention?: { mode: 'GOVERNANCE' | 'COMPLIANCE'; until: number };
  legalHold?: boolean;
  /** Parts that the content was made of. */
  parts?: number;
}

export function s3Of(row: Pick<ObjectRow, 'attributes'>): S3Attributes {
  return (attributesOf(row).s3 ?? {}) as S3Attributes;
}

export function objectAcl(row: ObjectRow, bucket: BucketRow): Acl {
  return s3Of(row).acl ?? privateAcl(bucket.application_id);
}
