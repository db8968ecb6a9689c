import type { IncomingMessage, ServerResponse } from 'node:http';
import { isId } from '#core/ids.ts';
import { Problem } from '#core/problem.ts';
import { freeing } from '#http/body-chunks.ts';
import type { Addresses } from '../addresses.ts';
import { Appender, type Arriving, ChecksumMismatch, offsetConflict } from '../append.ts';
import { partBytes, partSize, partsAhead, writePart } from '../parts.ts';
import type { StorageDeps } from '../rules.ts';
import type { BucketRow } from '../store.ts';
import { findUpload, type UploadRow } from '../upload-store.ts';
import { completeUpload, isOpen, terminateUpload } from '../uploads.ts';
import { Refusal } from './answers.ts';

/**
 * tus 1.0 (https://tus.io/protocols/resumable-upload) with the extensions checksum, expiration and termination. Sessions
 * are made by the API, so there is no creation here. Beside PATCH, which appends, stands PUT of our own: parts in any
 * order, several at once.
 */

const version = '1.0.0';
const algorithms = ['sha1', 'sha256', 'md5'] as const;
const exposed = [
  'Upload-Offset',
  'Upload-Length',
  'Upload-Expires',
  'Tus-Resumable',
  'Location',
  'X-Mainstay-Part-Size',
  'X-Mainstay-Parts',
  'X-Request-Id',
];

export const tusHeaders = {
  'tus-resumable': version,
  'cache-control': 'no-store',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposed.join(', '),
};

/** What a session's client is told of the server, and pages of other origins in advance. */
export function tusOptions(request: IncomingMessage): Record<string, string> {
  const asked = request.headers['access-control-request-headers'] ?? '';
  return {
    ...tusHeaders,
    'tus-version': version,
    'tus-extension': 'checksum,expiration,termination',
    'tus-checksum-algorithm': algorithms.join(','),
    'access-control-allow-methods': 'PATCH, PUT, HEAD, DELETE, POST, OPTIONS',
    ...(/^[\w\s,-]{1,1000}$/.test(asked) ? { 'access-control-allow-headers': asked } : {}),
    'access-control-max-age': '86400',
  };
}

/** A request that is sending bytes of a session to this process. */
interface Sender {
  /** Makes it end with what has come. */
  stop(): void;
  done: Promise<unknown>;
}

export class Tus {
  readonly #deps: StorageDeps;
  readonly #addresses: Addresses;
  readonly #bucketOf: (row: UploadRow) => Promise<BucketRow | null>;
  readonly #appender: Appender;
  readonly #senders = new Map<string, Sender>();

  constructor(
    deps: StorageDeps,
    needs: { addresses: Addresses; bucketOf: (row: UploadRow) => Promise<BucketRow | null> },
  ) {
    this.#deps = deps;
    this.#addresses = needs.addresses;
    this.#bucketOf = needs.bucketOf;
    this.#appender = new Appender(deps);
  }

  /** `rest`: the path behind `/uploads/`. `found` is told the bucket. Returns the bytes that came in. */
  async handle(
    request: IncomingMessage,
    response: ServerResponse,
    rest: string,
    found: (bucket: BucketRow) => void,
  ): Promise<number> {
    const [id = '', signature = '', more] = rest.split('/');
    const path = `/uploads/${id}`;
    if (more !== undefined || !isId(id) || !this.#addresses.isSigned('PATCH', path, signature)) {
      throw new Refusal(403, 'This address is not valid.');
    }
    const asked = request.headers['tus-resumable'];
    if (asked !== undefined && asked !== version) {
      throw new Refusal(412, `This server speaks tus ${version}.`, { 'tus-version': version });
    }
    const method = request.headers['x-http-method-override'] ?? request.method;
    // A client that comes again has lost its connection: what that one brought is taken in first.
    if (method !== 'PUT') await this.#settle(id);
    const row = await findUpload(this.#deps.db, id);
    if (row?.kind !== 'tus') throw new Refusal(410, 'The upload session is over.');
    const bucket = await this.#bucketOf(row);
    if (!bucket) throw new Refusal(404, 'The bucket of this upload session is gone.');
    found(bucket);
    if (method === 'HEAD' || method === 'GET') {
      const current = await this.#current(bucket, row);
      this.#send(response, 200, current, {
        'upload-length': String(row.content_length),
        'x-mainstay-part-size': String(partBytes),
        'x-mainstay-parts': isOpen(current) ? await partsAhead(this.#deps, current) : '',
      });
      return 0;
    }
    if (method === 'PUT') {
      const { after, bytes } = await this.#part(request, bucket, row);
      this.#send(response, 204, after);
      return bytes;
    }
    if (method === 'PATCH') {
      const after = await this.#patch(request, bucket, row);
      this.#send(response, 204, after);
      return after.received - row.received;
    }
    if (method === 'DELETE') {
      demandTime(row, this.#deps.clock.now());
      await terminateUpload(this.#deps, row);
      response.writeHead(204, tusHeaders).end();
      return 0;
    }
    throw new Refusal(405, 'Upload sessions take HEAD, PATCH, PUT, DELETE and OPTIONS.', {
      allow: 'HEAD, PATCH, PUT, DELETE, OPTIONS',
    });
  }

  /** Ends what is being sent to this process, keeping what has come. */
  async close(): Promise<void> {
    await Promise.all([...this.#senders.keys()].map((id) => this.#settle(id)));
  }

  #send(response: ServerResponse, status: number, row: UploadRow, more: Record<string, string> = {}): void {
    if (row.state === 'failed') throw checksumRefused();
    response.writeHead(status, {
      ...tusHeaders,
      'upload-offset': String(row.received),
      ...(isOpen(row) ? { 'upload-expires': new Date(row.expires_at).toUTCString() } : {}),
      ...more,
    });
    response.end();
  }

  /** The session as it is, completed where another process took the last byte and was killed. */
  #current(bucket: BucketRow, row: UploadRow): Promise<UploadRow> {
    demandTime(row, this.#deps.clock.now());
    return completeUpload(this.#deps, bucket, row);
  }

  async #patch(request: IncomingMessage, bucket: BucketRow, row: UploadRow): Promise<UploadRow> {
    const offset = this.#offsetOf(request, row);
    if (offset !== row.received || !isOpen(row)) throw offsetConflict(row.received);
    const length = readNumber(request.headers['content-length']);
    if (row.content_length !== null && offset + (length ?? 0) > row.content_length) {
      throw new Refusal(
        413,
        `The upload has ${row.content_length} bytes, and these would go beyond its end.`,
      );
    }
    const checksum = readChecksum(request.headers['upload-checksum']);
    const arrives = { offset, content: arriving(request), checksum };
    return this.#watch(row.id, request, this.#appender.append(bucket, row, arrives));
  }

  /** The place in the session where the bytes of this request belong. */
  #offsetOf(request: IncomingMessage, row: UploadRow): number {
    demandTime(row, this.#deps.clock.now());
    if (row.state === 'failed') throw checksumRefused();
    if (request.headers['content-type'] !== 'application/offset+octet-stream') {
      throw new Refusal(415, 'Send the content type application/offset+octet-stream.');
    }
    const offset = readNumber(request.headers['upload-offset']);
    if (offset === undefined) throw new Refusal(400, 'Send the header Upload-Offset, a whole number.');
    return offset;
  }

  async #part(
    request: IncomingMessage,
    bucket: BucketRow,
    begun: UploadRow,
  ): Promise<{ after: UploadRow; bytes: number }> {
    const offset = this.#offsetOf(request, begun);
    const bytes = partSize(begun, offset);
    const length = readNumber(request.headers['content-length']);
    if (length !== undefined && length !== bytes)
      throw new Refusal(length > bytes ? 413 : 400, `The part at ${offset} has to have ${bytes} bytes.`);
    const checksum = readChecksum(request.headers['upload-checksum']);
    const sender = `${begun.id}/${offset}`;
    // The same part again: the connection that brought it first is lost.
    await this.#settle(sender);
    const row = (await findUpload(this.#deps.db, begun.id)) ?? begun;
    const arrives = { offset, content: arriving(request), checksum };
    const after = await this.#watch(sender, request, writePart(this.#deps, bucket, row, arrives));
    return { after, bytes };
  }

  /** Where the request can be ended early: when the server closes, or its client comes again. */
  async #watch(name: string, request: IncomingMessage, work: Promise<UploadRow>): Promise<UploadRow> {
    const sender = {
      stop: () => void (request.complete || request.destroy()),
      done: work.catch(() => undefined),
    };
    this.#senders.set(name, sender);
    try {
      return await work;
    } catch (error) {
      if (error instanceof ChecksumMismatch) {
        throw new Refusal(460, 'The data does not match Upload-Checksum. It was discarded.');
      }
      throw error;
    } finally {
      if (this.#senders.get(name) === sender) this.#senders.delete(name);
    }
  }

  async #settle(name: string): Promise<void> {
    const sender = this.#senders.get(name);
    if (!sender) return;
    sender.stop();
    await sender.done;
  }
}

function demandTime(row: UploadRow, now: number): void {
  if (!isOpen(row) && row.state !== 'expired') return;
  if (row.expires_at <= now) throw new Refusal(410, 'The upload session has expired.');
  // By its client, or by a lifecycle rule of its bucket.
  if (row.state === 'expired') throw new Refusal(410, 'The upload session was canceled.');
}

function checksumRefused(): Refusal {
  return new Refusal(460, 'The content does not have the checksum of its session. The session has failed.');
}

function readNumber(text: string | string[] | undefined): number | undefined {
  return typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : undefined;
}

function readChecksum(header: string | string[] | undefined): Arriving['checksum'] {
  if (header === undefined) return undefined;
  const [name, digest, more] = String(header).split(' ');
  const algorithm = algorithms.find((known) => known === name);
  if (!algorithm || digest === undefined || more !== undefined) {
    throw new Problem(
      'invalid_request',
      `Upload-Checksum must name one of ${algorithms.join(', ')} and a digest in base64.`,
    );
  }
  return { algorithm, digest };
}

/** The bytes of a request. One that breaks off ends: what has come is kept. */
async function* arriving(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* freeing(request);
  } catch {
    // The connection is gone, or another request of the client took its place.
  }
}
