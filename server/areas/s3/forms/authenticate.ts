import { createHmac, timingSafeEqual } from 'node:crypto';
import { bucketOf, type Call } from '../call.ts';
import { S3Error } from '../errors.ts';
import { demandAllowedFrom } from '../limits.ts';
import { unknownKey } from '../signature/authenticate.ts';
import { hmac, isSignature } from '../signature/canonical.ts';
import { parseAmzDate } from '../signature/time.ts';
import { checkPolicy } from './policy.ts';

/** Who sends the form, by its policy; the bounds that the policy sets for the length. */
export async function authenticateForm(
  call: Call,
  fields: Map<string, string>,
  key: string,
): Promise<[number, number] | undefined> {
  const policy = fields.get('policy');
  const signature = fields.get('x-amz-signature');
  if (
    policy === undefined &&
    signature === undefined &&
    !fields.has('signature') &&
    !fields.has('awsaccesskeyid')
  )
    return undefined;
  if (fields.has('awsaccesskeyid')) return authenticateOld(call, fields, key);
  const credential = fields.get('x-amz-credential')?.split('/') ?? [];
  const [accessKeyId = '', date = '', region = '', service = ''] = credential;
  const time = parseAmzDate(fields.get('x-amz-date') ?? '');
  const missing = (name: string) =>
    new S3Error(
      'InvalidArgument',
      `Bucket POST must contain a field named '${name}'.  If it is specified, please check the order of the fields.`,
    );
  if (policy === undefined) throw missing('policy');
  if (signature === undefined) throw missing('X-Amz-Signature');
  if (credential.length !== 5 || time === undefined || fields.get('x-amz-algorithm') !== 'AWS4-HMAC-SHA256')
    throw new S3Error(
      'InvalidArgument',
      'X-Amz-Credential, X-Amz-Date and X-Amz-Algorithm must be those of Signature Version 4.',
    );
  if (service !== 's3' || (!call.deps.anyRegion && region !== call.deps.region))
    throw new S3Error(
      'AuthorizationQueryParametersError',
      `The region '${region.slice(0, 64)}' is wrong; expecting '${call.deps.region}'`,
    );
  const signer = await call.deps.credentials.find(accessKeyId);
  if (!signer) throw unknownKey(accessKeyId);
  const signingKey = call.deps.signingKeys.get(accessKeyId, signer.secret, { date, region, service });
  if (!isSignature(hmac(signingKey, policy), signature)) throw new S3Error('SignatureDoesNotMatch');
  return accept(call, signer, {
    fields,
    policy,
    key,
    time,
    scope: { date, region, service },
    signature,
    signingKey,
  });
}

/**
 * The form's own signature of old (HMAC-SHA-1 of the policy). Signature Version 2 is refused elsewhere, but for forms it
 * has no weakness that matters here: it signs the same policy with the same secret, and pages on the web have no other.
 */
async function authenticateOld(
  call: Call,
  fields: Map<string, string>,
  key: string,
): Promise<[number, number] | undefined> {
  const policy = fields.get('policy');
  const signature = fields.get('signature');
  const accessKeyId = fields.get('awsaccesskeyid') ?? '';
  if (policy === undefined || signature === undefined)
    throw new S3Error('InvalidArgument', "Bucket POST must contain the fields 'policy' and 'signature'.");
  const signer = await call.deps.credentials.find(accessKeyId);
  if (!signer) throw unknownKey(accessKeyId);
  const expected = createHmac('sha1', signer.secret).update(policy).digest();
  const given = Buffer.from(signature, 'base64');
  const same = timingSafeEqual(
    expected,
    given.length === expected.length ? given : Buffer.alloc(expected.length),
  );
  if (!same || given.length !== expected.length) throw new S3Error('SignatureDoesNotMatch');
  const now = call.deps.clock.now();
  return accept(call, signer, {
    fields,
    policy,
    key,
    time: now,
    scope: { date: '', region: '', service: 's3' },
    signature: '',
    signingKey: Buffer.alloc(0),
  });
}

async function accept(
  call: Call,
  signer: NonNullable<Awaited<ReturnType<Call['deps']['credentials']['find']>>>,
  {
    fields,
    policy,
    key,
    time,
    scope,
    signature,
    signingKey,
  }: {
    fields: Map<string, string>;
    policy: string;
    key: string;
    time: number;
    scope: { date: string; region: string; service: string };
    signature: string;
    signingKey: Buffer;
  },
): Promise<[number, number] | undefined> {
  await demandAllowedFrom(call, signer);
  const chunks = { key: signingKey, timeText: '', scope, seed: signature };
  call.auth = {
    signer,
    payload: 'UNSIGNED-PAYLOAD',
    chunks,
    presigned: true,
    age: call.deps.clock.now() - time,
  };
  call.who = signer.applicationId;
  call.deps.used.note(signer.id);
  return checkPolicy(policy, { fields, key, bucket: bucketOf(call).slug, now: call.deps.clock.now() });
}
