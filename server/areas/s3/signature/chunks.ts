import { createHash } from 'node:crypto';
import { S3Error } from '../errors.ts';
import { hmac, isSignature, type Scope, scopeText, sha256Hex } from './canonical.ts';

/**
 * Bodies in chunks of their own (`aws-chunked`), signed each or not, with trailers or without:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html
 */

export interface ChunkSigner {
  key: Buffer;
  timeText: string;
  scope: Scope;
  /** The signature of the head. */
  seed: string;
}

export interface ChunkOptions {
  /** Undefined: the chunks carry no signatures. */
  signer: ChunkSigner | undefined;
  hasTrailer: boolean;
  /** Of the content. */
  length: number;
}

const maxLine = 1024;
const maxTrailer = 8192;
const emptyHash = sha256Hex('');

/** The content, and once it has ended, what trailed it. Never keeps more than what it was given. */
export class ChunkDecoder {
  readonly trailers = new Map<string, string>();
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #options: ChunkOptions;
  #buffer: Buffer = Buffer.alloc(0);
  #previous: string;

  constructor(source: AsyncIterable<Uint8Array>, options: ChunkOptions) {
    this.#source = source[Symbol.asyncIterator]();
    this.#options = options;
    this.#previous = options.signer?.seed ?? '';
  }

  async *content(): AsyncGenerator<Uint8Array> {
    const { signer, hasTrailer, length } = this.#options;
    let left = length;
    for (;;) {
      const { size, signature } = readHead(await this.#line(), signer !== undefined);
      if (size > left)
        throw new S3Error('IncompleteBody', 'The chunks hold more than x-amz-decoded-content-length says.');
      const hash = signer ? createHash('sha256') : undefined;
      for (let rest = size; rest > 0; ) {
        if (this.#buffer.length === 0 && !(await this.#more())) throw cutOff();
        const part = this.#buffer.subarray(0, rest);
        this.#buffer = this.#buffer.subarray(part.length);
        hash?.update(part);
        rest -= part.length;
        yield part;
      }
      left -= size;
      if (signer && hash)
        this.#check(signer, 'AWS4-HMAC-SHA256-PAYLOAD', hash.digest('hex'), signature ?? '');
      if (size === 0) break;
      if ((await this.#line()) !== '') throw cutOff();
    }
    if (left > 0)
      throw new S3Error('IncompleteBody', 'The chunks hold less than x-amz-decoded-content-length says.');
    if (hasTrailer) await this.#readTrailers();
    else if (!(await this.#isOver()) && (await this.#line()) !== '') throw cutOff();
    if (!(await this.#isOver())) throw cutOff();
  }

  #check(signer: ChunkSigner, kind: string, hash: string, signature: string): void {
    const head = `${kind}\n${signer.timeText}\n${scopeText(signer.scope)}\n${this.#previous}\n`;
    const text = kind.endsWith('TRAILER') ? `${head}${hash}` : `${head}${emptyHash}\n${hash}`;
    if (!isSignature(hmac(signer.key, text), signature)) throw new S3Error('SignatureDoesNotMatch');
    this.#previous = signature;
  }

  async #readTrailers(): Promise<void> {
    const { signer } = this.#options;
    let signed = '';
    let signature: string | undefined;
    let size = 0;
    for (;;) {
      if (await this.#isOver()) break;
      const line = await this.#line();
      if (line === '') break;
      size += line.length;
      const at = line.indexOf(':');
      const name = line.slice(0, Math.max(0, at)).trim().toLowerCase();
      const value = line.slice(at + 1).trim();
      if (at < 0 || size > maxTrailer || signature !== undefined || this.trailers.has(name))
        throw new S3Error('MalformedTrailerError');
      if (name === 'x-amz-trailer-signature') signature = value;
      else {
        this.trailers.set(name, value);
        signed += `${name}:${value}\n`;
      }
    }
    if (signer) this.#check(signer, 'AWS4-HMAC-SHA256-TRAILER', sha256Hex(signed), signature ?? '');
    else if (signature !== undefined) throw new S3Error('MalformedTrailerError');
  }

  async #more(): Promise<boolean> {
    // A copy: what was given ends when more is asked for. It is less than a line.
    const left = Buffer.from(this.#buffer);
    for (;;) {
      const next = await this.#source.next();
      if (next.done) return false;
      if (next.value.length === 0) continue;
      const bytes = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength);
      this.#buffer = left.length === 0 ? bytes : Buffer.concat([left, bytes]);
      return true;
    }
  }

  async #isOver(): Promise<boolean> {
    return this.#buffer.length === 0 && !(await this.#more());
  }

  /** Up to the next line end, which is taken away. */
  async #line(): Promise<string> {
    for (let from = 0; ; ) {
      const end = this.#buffer.indexOf('\r\n', from, 'latin1');
      if (end >= 0 && end <= maxLine) {
        const line = this.#buffer.toString('latin1', 0, end);
        this.#buffer = this.#buffer.subarray(end + 2);
        return line;
      }
      if (end > maxLine || this.#buffer.length > maxLine)
        throw new S3Error('IncompleteBody', 'The chunks of the body are malformed.');
      // A line end may be cut in two.
      from = Math.max(0, this.#buffer.length - 1);
      if (!(await this.#more())) {
        // Some clients leave out the end of the last line of their trailers.
        if (this.#buffer.length === 0 || !this.#options.hasTrailer) throw cutOff();
        const line = this.#buffer.toString('latin1');
        this.#buffer = Buffer.alloc(0);
        return line;
      }
    }
  }
}

function cutOff(): S3Error {
  return new S3Error(
    'IncompleteBody',
    'The body is not in the chunks that its head announces, or was cut off.',
  );
}

function readHead(line: string, isSigned: boolean): { size: number; signature: string | undefined } {
  const [, hex = '', signature] =
    /^([0-9a-fA-F]{1,12})(?:;chunk-signature=([0-9a-f]{64}))?$/.exec(line) ?? [];
  if (hex === '' || (isSigned && signature === undefined)) throw cutOff();
  return { size: Number.parseInt(hex, 16), signature };
}
