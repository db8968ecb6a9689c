import type { BucketRow } from '#areas/storage/service.ts';
import { type Acl, aclOfHeaders, isPublicAcl, namesAcl, privateAcl } from './access/acl.ts';
import type { Call } from './call.ts';
import { documentsOf } from './documents.ts';
import { S3Error } from './errors.ts';

/** Which ACL a new object gets, and what the settings of its bucket say to that. */

export function demandOwner(call: Call): (id: string) => Promise<void> {
  return async (id) => {
    if (id === call.who || id === call.bucket?.application_id) return;
    if ((await call.deps.nameOf(id)) === null) throw new S3Error('InvalidArgument', 'Invalid id');
  };
}

/** Whether a canned ACL says what holds anyhow where ACLs are off. Of the owner's own objects, private does. */
export function saysNothing({ headers, who }: Call, bucket: BucketRow): boolean {
  const canned = headers['x-amz-acl'];
  const isOwner = who === undefined || who === bucket.application_id;
  return canned === 'bucket-owner-full-control' || (canned === 'private' && isOwner);
}

/** Undefined: private, and of the application that the bucket belongs to. */
export async function aclForNew(call: Call, bucket: BucketRow): Promise<Acl | undefined> {
  const { ownership } = documentsOf(bucket);
  const bucketOwner = bucket.application_id;
  const owner = call.who ?? bucketOwner;
  if (ownership === 'BucketOwnerEnforced') {
    if (namesAcl(call.headers) && !saysNothing(call, bucket))
      throw new S3Error('AccessControlListNotSupported');
    return undefined;
  }
  const acl = await aclOfHeaders(call.headers, { owner, bucketOwner, demandOwner: demandOwner(call) });
  demandAllowed(bucket, acl);
  const isGivenUp =
    ownership === 'BucketOwnerPreferred' && call.headers['x-amz-acl'] === 'bucket-owner-full-control';
  if (isGivenUp || (!acl && owner === bucketOwner)) return undefined;
  return acl ?? privateAcl(owner);
}

export function demandAllowed(bucket: BucketRow, acl: Acl | undefined): void {
  if (acl && isPublicAcl(acl) && documentsOf(bucket).publicAccessBlock?.blockPublicAcls)
    throw new S3Error('AccessDenied', 'Public ACLs are blocked by the public access block of the bucket.');
}
