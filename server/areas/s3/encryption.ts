import { createHash } from 'node:crypto';
import type { BucketRow, ObjectRow } from '#areas/storage/service.ts';
import type { Call, ResponseHeaders } from './call.ts';
import { documentsOf, type S3Attributes, s3Of } from './documents.ts';
import { notOffered, S3Error } from './errors.ts';

/** SSE-S3 and SSE-C: https://docs.aws.amazon.com/AmazonS3/latest/userguide/serv-side-encryption.html */

export interface Encryption {
  /** Undefined: as this instance is set. */
  encrypted: true | undefined;
  customerKey: Buffer | undefined;
  attributes: Pick<S3Attributes, 'sse' | 'customerKeyMd5'>;
}

const customer = 'server-side-encryption-customer-';

/** The key that a customer sends with the request; undefined: none. */
export function readCustomerKey(call: Call, prefix = 'x-amz-'): Buffer | undefined {
  const [algorithm, key, md5] = ['algorithm', 'key', 'key-md5'].map(
    (name) => call.headers[`${prefix}${customer}${name}`],
  );
  if (algorithm === undefined && key === undefined && md5 === undefined) return undefined;
  const wrong = (sentence: string) => new S3Error('InvalidArgument', sentence);
  if (algorithm === undefined)
    throw wrong(
      'Requests specifying Server Side Encryption with Customer provided keys must provide a valid encryption algorithm.',
    );
  if (algorithm !== 'AES256') throw new S3Error('InvalidEncryptionAlgorithmError');
  if (key === undefined)
    throw wrong(
      'Requests specifying Server Side Encryption with Customer provided keys must provide an appropriate secret key.',
    );
  const bytes = Buffer.from(String(key), 'base64');
  if (bytes.length !== 32) throw wrong('The secret key was invalid for the specified algorithm.');
  if (md5 === undefined)
    throw wrong(
      'Requests specifying Server Side Encryption with Customer provided keys must provide the client calculated MD5 of the secret key.',
    );
  if (md5Of(bytes) !== md5)
    throw wrong('The calculated MD5 hash of the key did not match the hash that was provided.');
  return bytes;
}

function md5Of(key: Buffer): string {
  return createHash('md5').update(key).digest('base64');
}

/** How new content is to be encrypted. */
export function encryptionFor(call: Call, bucket: BucketRow): Encryption {
  const customerKey = readCustomerKey(call);
  const asked = call.headers['x-amz-server-side-encryption'];
  if (customerKey && asked !== undefined)
    throw new S3Error(
      'InvalidArgument',
      'Server Side Encryption with Customer provided key is incompatible with the encryption method specified',
    );
  if (customerKey)
    return { encrypted: undefined, customerKey, attributes: { customerKeyMd5: md5Of(customerKey) } };
  if (asked === 'aws:kms' || asked === 'aws:kms:dsse') throw notOffered('Encryption with KMS keys');
  if (asked !== undefined && asked !== 'AES256')
    throw new S3Error('InvalidArgument', 'The encryption method specified is not supported');
  if (call.headers['x-amz-server-side-encryption-aws-kms-key-id'] !== undefined)
    throw new S3Error(
      'InvalidArgument',
      'Server Side Encryption with AWS KMS managed key requires HTTP header x-amz-server-side-encryption : aws:kms',
    );
  const sse = asked === 'AES256' || documentsOf(bucket).encryption !== undefined;
  return {
    encrypted: sse ? true : undefined,
    customerKey: undefined,
    attributes: sse ? { sse: 'AES256' } : {},
  };
}

/** The key that this content needs; throws where the request brings none, another one, or one for nothing. */
export function demandKey(attributes: S3Attributes, key: Buffer | undefined): Buffer | undefined {
  const { customerKeyMd5 } = attributes;
  if (customerKeyMd5 === undefined) {
    if (key)
      throw new S3Error('InvalidRequest', 'The encryption parameters are not applicable to this object.');
    return undefined;
  }
  if (!key) {
    throw new S3Error(
      'InvalidRequest',
      'The object was stored using a form of Server Side Encryption. The correct parameters must be provided to retrieve the object.',
    );
  }
  if (md5Of(key) !== customerKeyMd5)
    throw new S3Error(
      'InvalidRequest',
      'Requests specifying Server Side Encryption with Customer provided keys must provide the correct secret key.',
    );
  return key;
}

export function keyForReading(call: Call, object: ObjectRow): Buffer | undefined {
  // How it is encrypted is told, not asked for.
  if (call.headers['x-amz-server-side-encryption'] !== undefined)
    throw new S3Error('InvalidArgument', 'x-amz-server-side-encryption is not for reading an object.');
  return demandKey(s3Of(object), readCustomerKey(call));
}

export function encryptionHeaders({ sse, customerKeyMd5 }: S3Attributes): ResponseHeaders {
  if (customerKeyMd5 !== undefined) {
    return {
      'x-amz-server-side-encryption-customer-algorithm': 'AES256',
      'x-amz-server-side-encryption-customer-key-MD5': customerKeyMd5,
    };
  }
  return sse === undefined ? {} : { 'x-amz-server-side-encryption': sse };
}
