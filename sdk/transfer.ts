import type { Client } from './client.ts';
import { ApiError, ConnectionError, toApiError } from './errors.ts';
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
  /** A file: `await fs.openAsBlob(path)` in Node, a `File` in browsers. Read twice, in parts, never as a whole. */
  content: Blob;
  /** The type of the Blob unless given; else the server finds it out. */
  contentType?: string | undefined;
  /** Goes on with this session where it is still open, instead of a new one. */
  resume?: OpenUpload | undefined;
  /** Told of the session once it is open. */
  onOpen?: ((upload: OpenUpload) => void) | undefined;
  onProgress?: ((progress: UploadProgress) => void) | undefined;
  /** Gives up; the session stays open and can be resumed. */
  signal?: AbortSignal | undefined;
  /** What one request sends. 8 MiB unless given. */
  chunkBytes?: number | undefined;
}

const defaultChunkBytes = 8 * 1024 * 1024;
const hashChunkBytes = 1024 * 1024;
const maxFailures = 8;

/**
 * Stores an object of any size through an upload session (tus 1.0), going on where a connection broke. Resolves with the
 * id of the session once the object is there; rejects with `ApiError` of status 460 when the content changed meanwhile.
 */
export async function uploadObject(client: Client, options: UploadOptions): Promise<{ uploadId: string }> {
  const { content, signal, onOpen } = options;
  let upload = options.resume?.size === content.size ? options.resume : undefined;
  let offset = upload ? await offsetOf(upload, signal).catch(() => undefined) : undefined;
  if (!upload || offset === undefined) {
    upload = await open(client, options);
    onOpen?.(upload);
    offset = 0;
  }
  await sendAll(upload, offset, options);
  return { uploadId: upload.id };
}

async function open(client: Client, options: UploadOptions): Promise<OpenUpload> {
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
  { content, signal, onProgress, chunkBytes = defaultChunkBytes }: UploadOptions,
): Promise<void> {
  let offset = from;
  for (let failures = 0; offset < upload.size; ) {
    onProgress?.({ phase: 'upload', bytes: offset, total: upload.size });
    try {
      offset = await sendPart(upload, offset, content.slice(offset, offset + chunkBytes), signal);
      failures = 0;
    } catch (error) {
      const mayPass =
        !(error instanceof ApiError) || [409, 423, 429].includes(error.status) || error.status >= 500;
      if (signal?.aborted || !mayPass || ++failures > maxFailures) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200 * 2 ** failures * Math.random()));
      // Some of it may have arrived.
      offset = await offsetOf(upload, signal).catch((again) => {
        if (again instanceof ApiError && again.status < 500) throw again;
        return offset;
      });
    }
  }
  onProgress?.({ phase: 'upload', bytes: upload.size, total: upload.size });
}

const tus = { 'tus-resumable': '1.0.0' };

async function sendPart(
  upload: OpenUpload,
  offset: number,
  body: Blob,
  signal: AbortSignal | undefined,
): Promise<number> {
  const headers = {
    ...tus,
    'content-type': 'application/offset+octet-stream',
    'upload-offset': String(offset),
  };
  return ask(upload.url, { method: 'PATCH', headers, body, ...(signal ? { signal } : {}) });
}

function offsetOf(upload: OpenUpload, signal: AbortSignal | undefined): Promise<number> {
  return ask(upload.url, { method: 'HEAD', headers: tus, ...(signal ? { signal } : {}) });
}

async function ask(url: string, init: RequestInit): Promise<number> {
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch (error) {
    if (init.signal?.aborted) throw init.signal.reason;
    throw new ConnectionError(`${init.method} ${url} was not answered in full.`, { cause: error });
  }
  if (!response.ok) throw await toApiError(response);
  await response.body?.cancel();
  return Number(response.headers.get('upload-offset'));
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
    signal,
  }: Place & {
    objectId: string;
    /** Bytes from `start` on, without `end`. */
    range?: { start: number; end?: number } | undefined;
    signal?: AbortSignal | undefined;
  },
): Promise<Response> {
  const query = environment === undefined ? {} : { environment };
  const { url } = await client.storage.accessUrl(applicationId, bucket, objectId, query, { signal });
  const end = range?.end === undefined ? '' : range.end - 1;
  const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${end}` } : {};
  const response = await fetch(url, { headers, ...(signal ? { signal } : {}) });
  if (!response.ok) throw await toApiError(response);
  return response;
}
