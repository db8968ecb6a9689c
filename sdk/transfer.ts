import type { Client } from './client.ts';
import { ApiError, ConnectionError, TimeoutError, toApiError } from './errors.ts';
import { abortable } from './send.ts';
import { sha256 } from './sha256.ts';

/** Where an object is, or shall be. */
export interface Place {
  applicationId: string;
  /** Name or id. */
  bucket: string;
  environment?: string | undefined;
}

export interface UploadProgress {
  /** `hash` comes first: a session is opened with the checksum of its content. */
  phase: 'hash' | 'upload';
  bytes: number;
  total: number;
}

/** A session that can be gone on with, in another process too: keep it as JSON. */
export interface OpenUpload {
  id: string;
  url: string;
  size: number;
}

export interface UploadOptions extends Place {
  key: string;
  /**
   * A file: `await fs.openAsBlob(path)` in Node, a `File` in browsers. Read twice, in parts, never as a whole. A stream is
   * gathered first, in memory (browsers may use the disk): a session is opened with the length and the checksum of the whole.
   */
  content: Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;
  /** The type of the Blob unless given; else the server finds it out. */
  contentType?: string | undefined;
  /** Continues this session where it is still open, instead of a new one. */
  resume?: OpenUpload | undefined;
  /** Told of the session once it is open. */
  onOpen?: ((upload: OpenUpload) => void) | undefined;
  onProgress?: ((progress: UploadProgress) => void) | undefined;
  /** Gives up; the session stays open and can be resumed. */
  signal?: AbortSignal | undefined;
  /** What one request sends. 8 MiB unless given. */
  chunkBytes?: number | undefined;
  /** More than one: so many parts of a size that the instance names are sent side by side, each on its own again. */
  partsAtOnce?: number | undefined;
}

const defaultChunkBytes = 8 * 1024 * 1024;
const hashChunkBytes = 1024 * 1024;
const maxFailures = 8;
/** A connection that nothing passes through is given up; four parts over 0.3 Mbit/s still arrive. */
const requestTimeoutMilliseconds = 900_000;

/**
 * Stores an object of any size through an upload session (tus 1.0), continuing where a connection broke. Resolves with the
 * id of the session once the object is there; rejects with `ApiError` of status 460 when the content changed meanwhile.
 */
export async function uploadObject(client: Client, wanted: UploadOptions): Promise<{ uploadId: string }> {
  const { signal, onOpen } = wanted;
  const content = await gathered(wanted.content, signal);
  const options = { ...wanted, content };
  let upload = options.resume?.size === content.size ? options.resume : undefined;
  let arrived = upload ? await lookAgain(upload, signal) : undefined;
  if (!upload || arrived === undefined) {
    upload = await open(client, options);
    onOpen?.(upload);
    arrived = { offset: 0 };
  }
  if ((options.partsAtOnce ?? 1) > 1 && content.size > 0) {
    const open = upload;
    if (arrived.partBytes === undefined) arrived = await persist(signal, () => look(open, signal));
    if (inParts(arrived)) {
      await sendParts(upload, arrived, options);
      return { uploadId: upload.id };
    }
  }
  await sendAll(upload, arrived.offset, options);
  return { uploadId: upload.id };
}

type Gathered = UploadOptions & { content: Blob };

async function gathered(content: UploadOptions['content'], signal: AbortSignal | undefined): Promise<Blob> {
  // What reads as one counts as one: command lines bring their own.
  if ('slice' in content) return content as Blob;
  // Not every browser iterates its streams.
  if ('getReader' in content) return abortable(new Response(content).blob(), signal);
  const parts: Blob[] = [];
  for await (const chunk of content) {
    signal?.throwIfAborted();
    parts.push(new Blob([chunk as Uint8Array<ArrayBuffer>]));
  }
  return new Blob(parts);
}

async function open(client: Client, options: Gathered): Promise<OpenUpload> {
  const { applicationId, bucket, environment, key, content, signal, onProgress } = options;
  const digest = sha256();
  for (let at = 0; at < content.size; at += hashChunkBytes) {
    signal?.throwIfAborted();
    const part = content.slice(at, at + hashChunkBytes);
    digest.update(new Uint8Array(await part.arrayBuffer()));
    onProgress?.({ phase: 'hash', bytes: Math.min(at + hashChunkBytes, content.size), total: content.size });
  }
  const contentType = options.contentType ?? content.type;
  const body = {
    key,
    contentLength: content.size,
    checksumSha256: digest.hex(),
    ...(contentType === '' ? {} : { contentType }),
  };
  const where = environment === undefined ? {} : { environment };
  const { session, upload } = await client.storage.createUpload(applicationId, bucket, body, {
    ...where,
    signal,
  });
  return { id: session.id, url: upload.url, size: content.size };
}

async function sendAll(
  upload: OpenUpload,
  from: number,
  { content, signal, onProgress, chunkBytes = defaultChunkBytes }: Gathered,
): Promise<void> {
  let offset = from;
  for (let failures = 0; offset < upload.size; ) {
    onProgress?.({ phase: 'upload', bytes: offset, total: upload.size });
    try {
      const part = content.slice(offset, offset + chunkBytes);
      offset = (await send(upload, 'PATCH', offset, part, signal)).offset;
      failures = 0;
    } catch (error) {
      if (signal?.aborted || !mayPass(error) || ++failures > maxFailures) throw error;
      await backOff(failures, signal);
      // Some of it may have arrived.
      offset = await look(upload, signal).then(
        (arrived) => arrived.offset,
        (again) => {
          if (again instanceof ApiError && again.status < 500) throw again;
          return offset;
        },
      );
    }
  }
  onProgress?.({ phase: 'upload', bytes: upload.size, total: upload.size });
}

/** What the instance has of a session. */
interface Arrived {
  /** Without a gap. */
  offset: number;
  /** Undefined: it takes no parts. */
  partBytes?: number;
  /** Numbers of the parts that lie behind the gap. */
  ahead?: ReadonlySet<number>;
}

/** Whether the session can continue in parts: one that was begun by appending may end amid a part. */
function inParts(arrived: Arrived): arrived is Required<Arrived> {
  const { offset, partBytes } = arrived;
  return partBytes !== undefined && offset % partBytes === 0;
}

async function sendParts(
  upload: OpenUpload,
  { offset, partBytes, ahead }: Required<Arrived>,
  { content, signal, onProgress, partsAtOnce = 1 }: Gathered,
): Promise<void> {
  const total = upload.size;
  const sizeOf = (part: number) => Math.min(partBytes, total - part * partBytes);
  let bytes = offset;
  for (const part of ahead) bytes += sizeOf(part);
  onProgress?.({ phase: 'upload', bytes, total });
  // One that fails permanently ends the others.
  const stop = new AbortController();
  const giveUp = () => stop.abort(signal?.reason);
  if (signal?.aborted) giveUp();
  signal?.addEventListener('abort', giveUp, { once: true });
  let next = offset / partBytes;
  const worker = async () => {
    for (let part = next++; part * partBytes < total; part = next++) {
      if (ahead.has(part)) continue;
      const at = part * partBytes;
      const body = content.slice(at, at + sizeOf(part));
      await persist(stop.signal, () => send(upload, 'PUT', at, body, stop.signal));
      bytes += body.size;
      onProgress?.({ phase: 'upload', bytes, total });
    }
  };
  try {
    await Promise.all(
      Array.from({ length: partsAtOnce }, () =>
        worker().catch((error) => {
          stop.abort(error);
          throw error;
        }),
      ),
    );
  } finally {
    signal?.removeEventListener('abort', giveUp);
  }
}

/** Does it again while a failure may pass. */
async function persist<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; ) {
    try {
      return await work();
    } catch (error) {
      if (signal?.aborted || !mayPass(error) || ++failures > maxFailures) throw error;
      await backOff(failures, signal);
    }
  }
}

function mayPass(error: unknown): boolean {
  return !(error instanceof ApiError) || [409, 423, 429].includes(error.status) || error.status >= 500;
}

function backOff(failures: number, signal: AbortSignal | undefined): Promise<void> {
  const milliseconds = 200 * 2 ** failures * Math.random();
  return abortable(new Promise((resolve) => setTimeout(resolve, milliseconds)), signal);
}

const tus = { 'tus-resumable': '1.0.0' };

function send(
  upload: OpenUpload,
  method: 'PATCH' | 'PUT',
  offset: number,
  body: Blob,
  signal: AbortSignal | undefined,
): Promise<Arrived> {
  const headers = {
    ...tus,
    'content-type': 'application/offset+octet-stream',
    'upload-offset': String(offset),
  };
  return ask(upload.url, { method, headers, body }, signal);
}

function look(upload: OpenUpload, signal: AbortSignal | undefined): Promise<Arrived> {
  return ask(upload.url, { method: 'HEAD', headers: tus }, signal);
}

/** Undefined: the session is over. */
function lookAgain(upload: OpenUpload, signal: AbortSignal | undefined): Promise<Arrived | undefined> {
  return persist(signal, () => look(upload, signal)).catch((error) => {
    if (error instanceof ApiError && error.status < 500) return undefined;
    throw error;
  });
}

async function ask(url: string, init: RequestInit, signal: AbortSignal | undefined): Promise<Arrived> {
  const attempt = new AbortController();
  const giveUp = () => attempt.abort(signal?.reason);
  if (signal?.aborted) giveUp();
  signal?.addEventListener('abort', giveUp, { once: true });
  const late = new TimeoutError(`${init.method} ${url} had no answer in time.`);
  const timer = setTimeout(() => attempt.abort(late), requestTimeoutMilliseconds);
  try {
    const response = await fetch(url, { ...init, signal: attempt.signal });
    if (!response.ok) throw await toApiError(response);
    await response.body?.cancel();
    const partBytes = Number(response.headers.get('x-mainstay-part-size') ?? 0);
    return {
      offset: Number(response.headers.get('upload-offset')),
      ...(partBytes > 0
        ? { partBytes, ahead: numbersOf(response.headers.get('x-mainstay-parts') ?? '') }
        : {}),
    };
  } catch (error) {
    if (attempt.signal.aborted) throw attempt.signal.reason;
    if (error instanceof ApiError) throw error;
    throw new ConnectionError(`${init.method} ${url} was not answered in full.`, { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}

/** Of `3,5-9`. */
function numbersOf(text: string): Set<number> {
  const numbers = new Set<number>();
  for (const range of text.split(',').filter((one) => one !== '')) {
    const [first = 0, last = first] = range.split('-').map(Number);
    for (let number = first; number <= last; number++) numbers.add(number);
  }
  return numbers;
}

/** The content of an object as it arrives: `response.body` is a stream, `response.blob()` the whole. */
export async function downloadObject(
  client: Client,
  {
    applicationId,
    bucket,
    environment,
    objectId,
    range,
    url,
    signal,
  }: Place & {
    objectId: string;
    /** An address that `accessUrl` gave already. */
    url?: string | undefined;
    /** Bytes from `start` on, without `end`. */
    range?: { start: number; end?: number } | undefined;
    signal?: AbortSignal | undefined;
  },
): Promise<Response> {
  const query = environment === undefined ? {} : { environment };
  const address =
    url ?? (await client.storage.accessUrl(applicationId, bucket, objectId, query, { signal })).url;
  const end = range?.end === undefined ? '' : range.end - 1;
  const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${end}` } : {};
  const response = await fetch(address, { headers, ...(signal ? { signal } : {}) });
  if (!response.ok) throw await toApiError(response);
  return response;
}
