import { Problem, type ProblemKind } from '#core/problem.ts';

/** https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html: the codes that we give, their status and sentence. */
const codes = {
  AccessControlListNotSupported: [400, 'The bucket does not allow ACLs'],
  AccessDenied: [403, 'Access Denied'],
  AuthorizationHeaderMalformed: [400, 'The authorization header that you provided is not valid.'],
  AuthorizationQueryParametersError: [400, 'The query parameters of the signature are not valid.'],
  BadDigest: [400, 'The digest that you specified did not match the content that was received.'],
  BadRequest: [400, 'The request is malformed.'],
  BucketAlreadyExists: [
    409,
    'The requested bucket name is not available. Select a different name and try again.',
  ],
  BucketAlreadyOwnedByYou: [409, 'The bucket that you tried to create already exists, and you own it.'],
  BucketNotEmpty: [409, 'The bucket you tried to delete is not empty'],
  EntityTooLarge: [400, 'Your proposed upload exceeds the maximum allowed object size.'],
  EntityTooSmall: [400, 'Your proposed upload is smaller than the minimum allowed size'],
  IllegalVersioningConfigurationException: [400, 'Indicates that the versioning configuration is not valid.'],
  IncompleteBody: [
    400,
    'You did not provide the number of bytes specified by the Content-Length HTTP header',
  ],
  InternalError: [500, 'We encountered an internal error. Please try again.'],
  InvalidAccessKeyId: [403, 'The AWS Access Key Id you provided does not exist in our records.'],
  InvalidArgument: [400, 'Invalid Argument'],
  InvalidBucketAclWithObjectOwnership: [
    400,
    "Bucket cannot have ACLs set with ObjectOwnership's BucketOwnerEnforced setting",
  ],
  InvalidBucketName: [400, 'The specified bucket is not valid.'],
  InvalidBucketState: [409, 'The request is not valid with the current state of the bucket.'],
  InvalidDigest: [400, 'The Content-MD5 or checksum value that you specified is not valid.'],
  InvalidEncryptionAlgorithmError: [
    400,
    'The encryption request you specified is not valid. Supported value: AES256.',
  ],
  InvalidObjectState: [403, "The operation is not valid for the object's storage class"],
  InvalidPart: [
    400,
    "One or more of the specified parts could not be found. The part may not have been uploaded, or the specified entity tag may not match the part's entity tag.",
  ],
  InvalidPartNumber: [416, 'The requested partnumber is not satisfiable'],
  InvalidPartOrder: [
    400,
    'The list of parts was not in ascending order. Parts must be ordered by part number.',
  ],
  InvalidPolicyDocument: [
    400,
    'The content of the form does not meet the conditions specified in the policy document.',
  ],
  InvalidRange: [416, 'The requested range is not satisfiable'],
  InvalidRequest: [400, 'Invalid Request'],
  InvalidRetentionPeriod: [400, 'The retention period must be a positive integer value.'],
  InvalidStorageClass: [400, 'The storage class you specified is not valid'],
  InvalidTag: [400, 'The tag provided was not a valid tag.'],
  InvalidURI: [400, "Couldn't parse the specified URI."],
  KeyTooLongError: [400, 'Your key is too long'],
  MalformedACLError: [
    400,
    'The XML you provided was not well-formed or did not validate against our published schema',
  ],
  MalformedPOSTRequest: [400, 'The body of your POST request is not well-formed multipart/form-data.'],
  MalformedPolicy: [400, 'Policy has invalid resource'],
  MalformedTrailerError: [
    400,
    'The request contained trailing data that was not well-formed or did not conform to our published schema.',
  ],
  MalformedXML: [
    400,
    'The XML you provided was not well-formed or did not validate against our published schema',
  ],
  MaxMessageLengthExceeded: [400, 'Your request was too big.'],
  MetadataTooLarge: [400, 'Your metadata headers exceed the maximum allowed metadata size'],
  MethodNotAllowed: [405, 'The specified method is not allowed against this resource.'],
  MissingContentLength: [411, 'You must provide the Content-Length HTTP header.'],
  MissingSecurityHeader: [400, 'Your request was missing a required header'],
  NoSuchBucket: [404, 'The specified bucket does not exist'],
  NoSuchBucketPolicy: [404, 'The bucket policy does not exist'],
  NoSuchCORSConfiguration: [404, 'The CORS configuration does not exist'],
  NoSuchKey: [404, 'The specified key does not exist.'],
  NoSuchLifecycleConfiguration: [404, 'The lifecycle configuration does not exist'],
  NoSuchObjectLockConfiguration: [404, 'The specified object does not have a ObjectLock configuration'],
  NoSuchPublicAccessBlockConfiguration: [404, 'The public access block configuration was not found'],
  NoSuchTagSet: [404, 'The TagSet does not exist'],
  NoSuchUpload: [
    404,
    'The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.',
  ],
  NoSuchVersion: [404, 'The specified version does not exist.'],
  NoSuchWebsiteConfiguration: [404, 'The specified bucket does not have a website configuration'],
  NotImplemented: [501, 'A header or query you provided implies functionality that is not implemented'],
  ObjectLockConfigurationNotFoundError: [404, 'Object Lock configuration does not exist for this bucket'],
  OperationAborted: [
    409,
    'A conflicting conditional operation is currently in progress against this resource. Try again.',
  ],
  OwnershipControlsNotFoundError: [404, 'The bucket ownership controls were not found'],
  PreconditionFailed: [412, 'At least one of the pre-conditions you specified did not hold'],
  QuotaExceeded: [403, 'The quota of the bucket is reached.'],
  ReplicationConfigurationNotFoundError: [404, 'The replication configuration was not found'],
  RequestTimeTooSkewed: [403, 'The difference between the request time and the current time is too large.'],
  RequestTimeout: [
    400,
    'Your socket connection to the server was not read from or written to within the timeout period.',
  ],
  ServerSideEncryptionConfigurationNotFoundError: [
    404,
    'The server side encryption configuration was not found',
  ],
  ServiceUnavailable: [503, 'Please reduce your request rate.'],
  SignatureDoesNotMatch: [
    403,
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
  ],
  SlowDown: [503, 'Please reduce your request rate.'],
  TooManyBuckets: [400, 'You have attempted to create more buckets than allowed.'],
  XAmzContentChecksumMismatch: [400, 'The provided checksum header does not match what was computed.'],
  XAmzContentSHA256Mismatch: [
    400,
    "The provided 'x-amz-content-sha256' header does not match what was computed.",
  ],
} as const satisfies Record<string, readonly [number, string]>;

export type S3ErrorCode = keyof typeof codes;

/** A refusal in S3's own terms. `fields` stand in the XML beside `Code` and `Message`. */
export class S3Error extends Error {
  readonly code: S3ErrorCode;
  readonly status: number;
  readonly fields: Readonly<Record<string, string | number>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: S3ErrorCode,
    message?: string,
    options: {
      fields?: Record<string, string | number>;
      headers?: Record<string, string>;
      status?: number;
      cause?: unknown;
    } = {},
  ) {
    super(message ?? codes[code][1], options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'S3Error';
    this.code = code;
    this.status = options.status ?? codes[code][0];
    this.fields = options.fields ?? {};
    this.headers = options.headers ?? {};
  }
}

export function notOffered(what: string): S3Error {
  return new S3Error('NotImplemented', `${what} is not offered here.`);
}

const problems: Partial<Record<ProblemKind, S3ErrorCode>> = {
  invalid_request: 'InvalidArgument',
  forbidden: 'AccessDenied',
  not_found: 'NoSuchBucket',
  conflict: 'OperationAborted',
  precondition_failed: 'PreconditionFailed',
  too_large: 'EntityTooLarge',
  too_many_requests: 'SlowDown',
  unavailable: 'ServiceUnavailable',
  storage_full: 'ServiceUnavailable',
  outcome_unknown: 'InternalError',
};

/** Whatever was thrown, as S3 says it. Nothing of the inside is told. */
export function toS3Error(thrown: unknown): S3Error {
  if (thrown instanceof S3Error) return thrown;
  if (!(thrown instanceof Problem)) return new S3Error('InternalError', undefined, { cause: thrown });
  const { kind, message, retryAfterSeconds: wait } = thrown;
  const isQuota = kind === 'too_large' && message.includes('quota');
  const code = isQuota ? 'QuotaExceeded' : (problems[kind] ?? 'InternalError');
  const headers = wait === undefined ? {} : { 'retry-after': String(wait) };
  const status = kind === 'storage_full' ? { status: 507 } : {};
  return new S3Error(code, message, { headers, ...status, cause: thrown.cause ?? thrown });
}
