import { createHash, type Hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { freeing } from '#http/body-chunks.ts';
import { S3Error } from '../errors.ts';
import {
  type Algorithm,
  algorithmOf,
  algorithms,
  type Checksum,
  headerOf,
  isDigest,
  newChecksum,
} from '../wire/checksums.ts';
import { ChunkDecoder, type ChunkSigner } from './chunks.ts';

/** The body of a request, checked on its way against everything that was said of it. */

export interface BodyOptions {
  /** `x-amz-content-sha256`; undefined: nobody signed. */
  payload: string | undefined;
  chunks: ChunkSigner | undefined;
  /** A checksum to be computed, though the client sends none. */
  compute?: Algorithm | undefined;
  /** Whether the MD5 of the content is wanted in any case. */
  wantsMd5?: boolean;
  /** False: the checksums among the headers are not of this body. */
  isObject?: boolean;
  /** Sends `100 Continue` where the client waits for it. */
  proceed(): void;
}

export interface SentChecksum {
  algorithm: Algorithm;
  /** Base 64. */
  value: string;
}

const streaming = /^STREAMING-(AWS4-HMAC-SHA256|UNSIGNED)-PAYLOAD(-TRAILER)?$/;

export class Body {
  /** Of the content, where it is announced. */
  readonly length: number | undefined;
  /** What the client said, or what was computed for it; known once the content has ended. */
  checksum: SentChecksum | undefined;
  md5: Buffer | undefined;
  /** Hexadecimal. */
  sha256: string | undefined;
  readonly #request: IncomingMessage;
  readonly #options: BodyOptions;
  readonly #isSigned: boolean;
  readonly #isChunked: boolean;
  readonly #hasTrailer: boolean;
  readonly #payloadHash: string | undefined;
  readonly #contentMd5: Buffer | undefined;
  readonly #announced: SentChecksum | undefined;
  readonly #trailing: Algorithm | undefined;

  constructor(request: IncomingMessage, options: BodyOptions) {
    this.#request = request;
    this.#options = options;
    const { headers } = request;
    const { payload } = options;
    const [, kind, trailer] = streaming.exec(payload ?? '') ?? [];
    this.#isChunked = kind !== undefined;
    this.#isSigned = kind === 'AWS4-HMAC-SHA256';
    this.#hasTrailer = trailer !== undefined;
    if (kind === 'UNSIGNED' && !this.#hasTrailer) throw unknownPayload();
    if (payload !== undefined && !this.#isChunked && payload !== 'UNSIGNED-PAYLOAD') {
      if (!/^[0-9a-fA-F]{64}$/.test(payload)) throw unknownPayload();
      this.#payloadHash = payload.toLowerCase();
    }
    this.length = lengthOf(request, this.#isChunked);
    this.#contentMd5 = readMd5(headers['content-md5'] as string | undefined);
    this.#announced = options.isObject === false ? undefined : announcedChecksum(headers);
    this.#trailing = this.#hasTrailer ? trailingAlgorithm(headers['x-amz-trailer']) : undefined;
    if (this.#announced && this.#trailing)
      throw new S3Error(
        'InvalidRequest',
        'Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.',
      );
  }

  /** The checksum that the client sends with the content, or will. */
  get algorithm(): Algorithm | undefined {
    return this.#announced?.algorithm ?? this.#trailing;
  }

  /** Whether anything protects the body against damage. */
  get isProtected(): boolean {
    return this.#contentMd5 !== undefined || this.algorithm !== undefined || this.#payloadHash !== undefined;
  }

  /** Throws behind the last byte when the content is not what was said of it: keep nothing before it has ended. */
  async *content(): AsyncGenerator<Uint8Array> {
    this.#options.proceed();
    const source = this.#source();
    const decoder = this.#isChunked
      ? new ChunkDecoder(source, {
          signer: this.#isSigned ? this.#options.chunks : undefined,
          hasTrailer: this.#hasTrailer,
          length: this.length ?? 0,
        })
      : undefined;
    const algorithm = this.algorithm ?? this.#options.compute;
    const needsMd5 = this.#options.wantsMd5 || this.#contentMd5 !== undefined;
    const md5 = needsMd5 ? createHash('md5') : undefined;
    const sha256 = this.#payloadHash !== undefined ? createHash('sha256') : undefined;
    const sum = algorithm ? checksumFor(algorithm, { md5, sha256 }) : undefined;
    let received = 0;
    for await (const chunk of decoder ? decoder.content() : source) {
      received += chunk.length;
      md5?.update(chunk);
      sha256?.update(chunk);
      sum?.checksum?.update(chunk);
      yield chunk;
    }
    if (this.length !== undefined && received !== this.length) throw new S3Error('IncompleteBody');
    this.md5 = md5?.digest();
    this.sha256 = sha256?.digest('hex');
    if (this.#payloadHash !== undefined && this.sha256 !== this.#payloadHash) {
      throw new S3Error('XAmzContentSHA256Mismatch', undefined, {
        fields: {
          ClientComputedContentSHA256: this.#payloadHash,
          S3ComputedContentSHA256: this.sha256 ?? '',
        },
      });
    }
    if (this.#contentMd5 && this.md5?.compare(this.#contentMd5) !== 0) throw new S3Error('BadDigest');
    if (algorithm && sum) this.#checkSum(algorithm, this.#digestOf(sum), decoder);
  }

  #digestOf({ checksum, from }: ReturnType<typeof checksumFor>): string {
    if (checksum) return checksum.digest();
    return from === 'md5'
      ? (this.md5 as Buffer).toString('base64')
      : Buffer.from(this.sha256 as string, 'hex').toString('base64');
  }

  #checkSum(algorithm: Algorithm, value: string, decoder: ChunkDecoder | undefined): void {
    this.checksum = { algorithm, value };
    if (algorithm === 'SHA256') this.sha256 = Buffer.from(value, 'base64').toString('hex');
    const trailed = this.#trailing ? decoder?.trailers.get(headerOf(this.#trailing)) : undefined;
    if (this.#trailing && trailed === undefined) throw new S3Error('MalformedTrailerError');
    const expected = this.#announced?.value ?? trailed;
    if (expected === undefined || expected === value) return;
    throw new S3Error('BadDigest', `The ${algorithm} you specified did not match the calculated checksum.`);
  }

  async *#source(): AsyncGenerator<Uint8Array> {
    try {
      // Ending early must not close the connection: the refusal has to be sent on it.
      yield* freeing(this.#request.iterator({ destroyOnReturn: false }));
    } catch (cause) {
      throw new S3Error('IncompleteBody', 'The request body ended early.', { cause });
    }
  }
}

/** One hash serves two ends where both want the same. */
function checksumFor(
  algorithm: Algorithm,
  { md5, sha256 }: { md5: Hash | undefined; sha256: Hash | undefined },
): { checksum: Checksum | undefined; from: 'md5' | 'sha256' | undefined } {
  if (algorithm === 'MD5' && md5) return { checksum: undefined, from: 'md5' };
  if (algorithm === 'SHA256' && sha256) return { checksum: undefined, from: 'sha256' };
  return { checksum: newChecksum(algorithm), from: undefined };
}

function unknownPayload(): S3Error {
  return new S3Error(
    'InvalidArgument',
    'x-amz-content-sha256 must be UNSIGNED-PAYLOAD, STREAMING-AWS4-HMAC-SHA256-PAYLOAD, ' +
      'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER, STREAMING-UNSIGNED-PAYLOAD-TRAILER or a valid sha256 value.',
    { fields: { ArgumentName: 'x-amz-content-sha256' } },
  );
}

function lengthOf({ headers }: IncomingMessage, isChunked: boolean): number | undefined {
  const text = isChunked ? headers['x-amz-decoded-content-length'] : headers['content-length'];
  if (typeof text === 'string' && /^\d{1,15}$/.test(text)) return Number(text);
  if (isChunked) throw new S3Error('MissingContentLength');
  return undefined;
}

function readMd5(text: string | undefined): Buffer | undefined {
  if (text === undefined) return undefined;
  if (!isDigest('MD5', text))
    throw new S3Error('InvalidDigest', 'The Content-MD5 you specified is not valid.');
  return Buffer.from(text, 'base64');
}

function announcedChecksum(headers: IncomingMessage['headers']): SentChecksum | undefined {
  const sent = algorithms.filter((algorithm) => headers[headerOf(algorithm)] !== undefined);
  const [algorithm] = sent;
  if (!algorithm) return undefined;
  if (sent.length > 1)
    throw new S3Error(
      'InvalidRequest',
      'Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.',
    );
  const value = String(headers[headerOf(algorithm)]);
  if (!isDigest(algorithm, value)) {
    // A text of a wrong length cannot be the digest of anything.
    throw new S3Error('BadDigest', `Value for ${headerOf(algorithm)} header is invalid.`);
  }
  return { algorithm, value };
}

function trailingAlgorithm(header: string | string[] | undefined): Algorithm | undefined {
  if (header === undefined) return undefined;
  const names = String(header)
    .split(',')
    .map((name) => name.trim().toLowerCase());
  const [name = ''] = names;
  const algorithm = name.startsWith('x-amz-checksum-')
    ? algorithmOf(name.slice('x-amz-checksum-'.length))
    : undefined;
  if (names.length !== 1 || !algorithm)
    throw new S3Error('InvalidRequest', 'The value specified in the x-amz-trailer header is not supported');
  return algorithm;
}

/** All of it, for documents. Throws `S3Error` past the bound. */
export async function readAll(body: Body, maxBytes: number): Promise<Buffer> {
  const tooLong = () =>
    new S3Error('MaxMessageLengthExceeded', undefined, { fields: { MaxMessageLengthBytes: maxBytes } });
  if ((body.length ?? 0) > maxBytes) throw tooLong();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body.content()) {
    size += chunk.length;
    if (size > maxBytes) throw tooLong();
    chunks.push(Uint8Array.from(chunk));
  }
  return Buffer.concat(chunks);
}
