import type { IncomingMessage } from 'node:http';
import { S3Error } from '../errors.ts';
import type { Target } from '../wire/target.ts';
import {
  canonicalHash,
  hmac,
  isSignature,
  type Scope,
  type SigningKeys,
  scopeText,
  signableHeaders,
  stringToSign,
} from './canonical.ts';
import type { ChunkSigner } from './chunks.ts';
import { parseAmzDate, toAmzDate } from './time.ts';

/** Who signs: what is known of an access key. */
export interface Signer {
  accessKeyId: string;
  secret: string;
}

export interface Authentication<S extends Signer> {
  signer: S;
  /** Of `x-amz-content-sha256`. */
  payload: string;
  /** For bodies that are signed piece by piece. */
  chunks: ChunkSigner;
  presigned: boolean;
  /** In milliseconds: how old the signature is. */
  age: number;
}

export interface AuthenticateOptions<S extends Signer> {
  now: number;
  keys: SigningKeys;
  /** Undefined: any. */
  region: string | undefined;
  find(accessKeyId: string): Promise<S | null> | S | null;
}

const skewMilliseconds = 15 * 60_000;
const maxExpiresSeconds = 7 * 86_400;

interface Parsed {
  accessKeyId: string;
  scope: Scope;
  signed: readonly string[];
  signature: string;
  time: number;
  timeText: string;
  payload: string;
  /** Milliseconds; of a presigned address. */
  expires: number | undefined;
}

/** Who signed the request; undefined: it carries no signature at all. Throws `S3Error` for one that is not right. */
export async function authenticate<S extends Signer>(
  request: IncomingMessage,
  target: Target,
  options: AuthenticateOptions<S>,
): Promise<Authentication<S> | undefined> {
  const headers = signableHeaders(request);
  const parsed = parse(target, headers);
  if (!parsed) return undefined;
  const { scope, time, timeText, payload, expires } = parsed;
  checkScope(parsed, options.region);
  const age = options.now - time;
  checkTime(age, expires, { time, now: options.now });
  const signer = await options.find(parsed.accessKeyId);
  if (!signer) throw unknownKey(parsed.accessKeyId);
  demandSigned(parsed, headers);
  const hash = canonicalHash(request.method ?? 'GET', target, headers, {
    signed: parsed.signed,
    payload,
    ...(expires === undefined ? {} : { without: 'X-Amz-Signature' }),
  });
  const key = options.keys.get(signer.accessKeyId, signer.secret, scope);
  const text = stringToSign(timeText, scope, hash);
  if (!isSignature(hmac(key, text), parsed.signature)) {
    throw new S3Error('SignatureDoesNotMatch', undefined, {
      fields: {
        AWSAccessKeyId: parsed.accessKeyId,
        StringToSign: text,
        SignatureProvided: parsed.signature.slice(0, 128),
      },
    });
  }
  const chunks = { key, timeText, scope, seed: parsed.signature };
  return { signer, payload, chunks, presigned: expires !== undefined, age };
}

export function unknownKey(accessKeyId: string): S3Error {
  return new S3Error('InvalidAccessKeyId', undefined, {
    fields: { AWSAccessKeyId: accessKeyId.slice(0, 128) },
  });
}

function parse(target: Target, headers: ReadonlyMap<string, string>): Parsed | undefined {
  const { query } = target;
  const authorization = headers.get('authorization');
  if (query.has('X-Amz-Algorithm') || query.has('X-Amz-Signature')) {
    if (authorization !== undefined) throw new S3Error('InvalidArgument', 'Only one auth mechanism allowed');
    return parseQuery(target);
  }
  if (query.has('AWSAccessKeyId') && query.has('Signature')) throw version2();
  if (authorization === undefined) return undefined;
  if (authorization.startsWith('AWS ')) throw version2();
  return parseHeader(authorization, headers);
}

function version2(): S3Error {
  return new S3Error(
    'InvalidRequest',
    'Signature Version 2 is not accepted. Please use AWS4-HMAC-SHA256: set your client to Signature Version 4.',
  );
}

function malformed(sentence: string): S3Error {
  return new S3Error('AuthorizationHeaderMalformed', `The authorization header is malformed; ${sentence}.`);
}

function parseHeader(authorization: string, headers: ReadonlyMap<string, string>): Parsed {
  if (!authorization.startsWith('AWS4-HMAC-SHA256')) {
    throw new S3Error('InvalidArgument', 'Unsupported Authorization Type', {
      fields: {
        ArgumentName: 'Authorization',
        ArgumentValue: authorization.split(' ', 1)[0]?.slice(0, 64) ?? '',
      },
    });
  }
  if (authorization.length > 4096) throw malformed('it is too long');
  const parts = new Map<string, string>();
  for (const part of authorization.slice('AWS4-HMAC-SHA256'.length).split(',')) {
    const at = part.indexOf('=');
    const name = part.slice(0, Math.max(0, at)).trim();
    if (at < 0 || parts.has(name)) throw malformed('each of its parts must stand once');
    parts.set(name, part.slice(at + 1).trim());
  }
  const [credential, signed, signature] = ['Credential', 'SignedHeaders', 'Signature'].map((name) =>
    parts.get(name),
  );
  if (!credential || !signed || !signature || parts.size !== 3)
    throw malformed('it must have Credential, SignedHeaders and Signature');
  const timeText = headers.get('x-amz-date') ?? '';
  const time = parseAmzDate(timeText) ?? Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(time)) {
    throw new S3Error('AccessDenied', 'AWS authentication requires a valid Date or x-amz-date header');
  }
  const payload = headers.get('x-amz-content-sha256');
  if (payload === undefined) {
    throw new S3Error('InvalidRequest', 'Missing required header for this request: x-amz-content-sha256');
  }
  return {
    ...readCredential(credential, malformed),
    signed: signed.split(';'),
    signature,
    time,
    timeText: parseAmzDate(timeText) === undefined ? toAmzDate(time) : timeText,
    payload,
    expires: undefined,
  };
}

function badQuery(sentence: string): S3Error {
  return new S3Error('AuthorizationQueryParametersError', sentence);
}

const queryNames = [
  'X-Amz-Algorithm',
  'X-Amz-Credential',
  'X-Amz-Signature',
  'X-Amz-Date',
  'X-Amz-SignedHeaders',
  'X-Amz-Expires',
];

function parseQuery({ query }: Target): Parsed {
  const [algorithm, credential, signature, timeText, signed, expires] = queryNames.map((name) =>
    query.get(name),
  );
  if (algorithm !== 'AWS4-HMAC-SHA256')
    throw badQuery('X-Amz-Algorithm only supports "AWS4-HMAC-SHA256 and AWS4-ECDSA-P256-SHA256"');
  if (!credential || !signature || !timeText || !signed || expires === undefined)
    throw badQuery(`Query-string authentication version 4 requires the ${queryNames.join(', ')} parameters.`);
  if (queryNames.some((name) => query.isRepeated(name)))
    throw badQuery('Each parameter of the signature must stand once.');
  const time = parseAmzDate(timeText);
  if (time === undefined)
    throw badQuery("X-Amz-Date must be in the ISO8601 Long Format \"yyyyMMdd'T'HHmmss'Z'\"");
  const seconds = /^-?\d{1,12}$/.test(expires) ? Number(expires) : Number.NaN;
  if (Number.isNaN(seconds)) throw badQuery('X-Amz-Expires should be a number');
  // Not 400, as of AWS: who holds such an address was refused, and clients look for that.
  if (seconds <= 0 || seconds > maxExpiresSeconds) {
    throw new S3Error(
      'AccessDenied',
      'X-Amz-Expires must be more than 0 and at most a week (604800 seconds)',
    );
  }
  const parsed = readCredential(credential, (sentence) =>
    badQuery(`X-Amz-Credential is malformed; ${sentence}.`),
  );
  const payload = query.get('X-Amz-Content-Sha256') ?? 'UNSIGNED-PAYLOAD';
  return {
    ...parsed,
    signed: signed.split(';'),
    signature,
    time,
    timeText,
    payload,
    expires: seconds * 1000,
  };
}

function readCredential(
  text: string,
  wrong: (sentence: string) => S3Error,
): { accessKeyId: string; scope: Scope } {
  const parts = text.split('/');
  const [accessKeyId, date, region, service, end] = parts;
  if (parts.length !== 5 || end !== 'aws4_request' || !accessKeyId || !region || !/^\d{8}$/.test(date ?? ''))
    throw wrong('the Credential must look like "ACCESSKEY/yyyyMMdd/region/s3/aws4_request"');
  if (service !== 's3') throw wrong('incorrect service. This endpoint belongs to "s3"');
  return { accessKeyId, scope: { date: date as string, region, service } };
}

function checkScope({ scope, timeText, expires }: Parsed, region: string | undefined): void {
  const wrong = expires === undefined ? malformed : badQuery;
  if (!timeText.startsWith(scope.date))
    throw wrong(`the date in ${scopeText(scope)} is not that of the request`);
  if (region === undefined || scope.region === region) return;
  const code = expires === undefined ? 'AuthorizationHeaderMalformed' : 'AuthorizationQueryParametersError';
  throw new S3Error(code, `The region '${scope.region.slice(0, 64)}' is wrong; expecting '${region}'`, {
    fields: { Region: region },
  });
}

function checkTime(
  age: number,
  expires: number | undefined,
  { time, now }: { time: number; now: number },
): void {
  const isFuture = -age > skewMilliseconds;
  if (expires === undefined ? isFuture || age > skewMilliseconds : isFuture) {
    throw new S3Error('RequestTimeTooSkewed', undefined, {
      fields: {
        RequestTime: toAmzDate(time),
        ServerTime: new Date(now).toISOString(),
        MaxAllowedSkewMilliseconds: skewMilliseconds,
      },
    });
  }
  if (expires !== undefined && age > expires) {
    throw new S3Error('AccessDenied', 'Request has expired', {
      fields: { Expires: new Date(time + expires).toISOString(), ServerTime: new Date(now).toISOString() },
    });
  }
}

/** What changes the meaning of a request must be signed: else whoever stands between could add it. */
function demandSigned({ signed }: Parsed, headers: ReadonlyMap<string, string>): void {
  const sorted = signed.every(
    (name, at) => name === name.toLowerCase() && (at === 0 || (signed[at - 1] as string) < name),
  );
  if (!sorted || !signed.includes('host'))
    throw malformed('SignedHeaders must be in lower case, in order, each once, and have "host"');
  const missing = signed.find((name) => !headers.has(name));
  if (missing !== undefined) throw notSigned(missing, 'were signed and are not here');
  for (const name of headers.keys()) {
    if (name.startsWith('x-amz-') && name !== 'x-amz-cf-id' && !signed.includes(name))
      throw notSigned(name, 'were not signed');
  }
}

function notSigned(name: string, what: string): S3Error {
  return new S3Error('AccessDenied', `There were headers which ${what}`, {
    fields: { HeadersNotSigned: name.slice(0, 128) },
  });
}
