import type { BucketRow, ObjectRow } from '#areas/storage/service.ts';
import type { Call, ResponseHeaders } from './call.ts';
import { documentsOf } from './documents.ts';
import { S3Error } from './errors.ts';

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock.html */

export interface Retention {
  mode: 'GOVERNANCE' | 'COMPLIANCE';
  until: number;
}

export interface Lock {
  retention: Retention | undefined;
  legalHold: boolean | undefined;
}

const dayMilliseconds = 86_400_000;

export function demandLock(bucket: BucketRow): void {
  if (bucket.object_lock !== 1)
    throw new S3Error('InvalidRequest', 'Bucket is missing Object Lock Configuration');
}

/** What the headers, or else the rule of the bucket, lay on a new object. */
export function lockFor({ headers, deps }: Call, bucket: BucketRow): Lock {
  const mode = headers['x-amz-object-lock-mode'];
  const until = headers['x-amz-object-lock-retain-until-date'];
  const hold = headers['x-amz-object-lock-legal-hold'];
  if (mode !== undefined || until !== undefined || hold !== undefined) demandLock(bucket);
  if ((mode === undefined) !== (until === undefined))
    throw new S3Error(
      'InvalidArgument',
      'x-amz-object-lock-retain-until-date and x-amz-object-lock-mode must both be supplied',
    );
  if (hold !== undefined && hold !== 'ON' && hold !== 'OFF')
    throw new S3Error('InvalidArgument', "Legal Hold must be either of 'ON' or 'OFF'");
  const now = deps.clock.now();
  const legalHold = hold === undefined ? undefined : hold === 'ON';
  if (mode !== undefined) return { retention: readRetention(String(mode), String(until), now), legalHold };
  const rule = bucket.object_lock === 1 ? documentsOf(bucket).objectLock : undefined;
  if (!rule) return { retention: undefined, legalHold };
  const days = rule.days ?? (rule.years ?? 0) * 365;
  return { retention: { mode: rule.mode, until: now + days * dayMilliseconds }, legalHold };
}

export function readRetention(mode: string, until: string, now: number): Retention {
  if (mode !== 'GOVERNANCE' && mode !== 'COMPLIANCE')
    throw new S3Error('InvalidArgument', 'Unknown wormMode directive');
  const time = Date.parse(until);
  if (Number.isNaN(time))
    throw new S3Error('InvalidArgument', 'The retain until date is not a valid ISO 8601 date');
  if (time <= now) throw new S3Error('InvalidArgument', 'The retain until date must be in the future!');
  return { mode, until: time };
}

export function isBypassed({ headers }: Call): boolean {
  return String(headers['x-amz-bypass-governance-retention']).toLowerCase() === 'true';
}

/** A lock may be made longer by anybody, and shorter only where governance is bypassed. */
export function demandLongerRetention(
  row: ObjectRow,
  wanted: Retention | undefined,
  { now, bypass }: { now: number; bypass: boolean },
): void {
  const { retain_until: until, retention_mode: mode } = row;
  if (until === null || until <= now) return;
  const isWeaker =
    !wanted ||
    wanted.until < until ||
    (mode === 'COMPLIANCE' && wanted.mode === 'GOVERNANCE') ||
    (mode === 'GOVERNANCE' && wanted.mode !== mode && !bypass && wanted.until < until);
  if (mode === 'COMPLIANCE' ? isWeaker : (isWeaker || wanted?.mode !== mode) && !bypass)
    throw new S3Error('AccessDenied', 'The object is retained. Its retention can only be made longer.');
}

export function lockHeaders(row: ObjectRow): ResponseHeaders {
  return {
    'x-amz-object-lock-mode': row.retention_mode ?? undefined,
    'x-amz-object-lock-retain-until-date':
      row.retain_until === null ? undefined : new Date(row.retain_until).toISOString(),
    'x-amz-object-lock-legal-hold': row.legal_hold ? 'ON' : undefined,
  };
}
