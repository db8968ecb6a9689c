import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';

/** What the server said of the version that it sent, to ask for a newer one only. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export interface DownloadOptions {
  /** Where the list is to stand. After a failure there may be a part of it. */
  readonly file: string;
  readonly known: Validators | undefined;
  readonly maxBytes: number;
  readonly timeoutSeconds: number;
  readonly userAgent: string;
}

/**
 * Fetches a list into a file, and nothing if it has not changed (RFC 9110, 13.1): undefined then. Throws an `Error` for
 * every other answer than a list. Time and size are bounded; the size is that after decompression, so that a small answer
 * cannot unfold without end.
 */
export async function download(url: string, options: DownloadOptions): Promise<Validators | undefined> {
  const { timeoutSeconds } = options;
  try {
    return await fetchInto(url, options, AbortSignal.timeout(timeoutSeconds * 1000));
  } catch (error) {
    if ((error as Error).name === 'TimeoutError') {
      throw new Error(`The server did not send the list within ${timeoutSeconds} s.`);
    }
    // `fetch` hides why it failed.
    const { message, cause } = error as Error;
    throw new Error(cause instanceof Error ? `${message}: ${cause.message}` : message);
  }
}

async function fetchInto(
  url: string,
  { file, known, maxBytes, userAgent }: DownloadOptions,
  signal: AbortSignal,
): Promise<Validators | undefined> {
  const response = await fetch(url, {
    headers: {
      accept: 'text/plain, application/json;q=0.9, */*;q=0.5',
      'user-agent': userAgent,
      ...(known?.etag ? { 'if-none-match': known.etag } : {}),
      ...(known?.lastModified ? { 'if-modified-since': known.lastModified } : {}),
    },
    signal,
  });
  const { status, headers, body } = response;
  const wrong = whatIsWrong(status, headers);
  if (wrong || !body || (status === 304 && known)) {
    await body?.cancel();
    if (status === 304 && known) return undefined;
    throw new Error(wrong ?? 'The server sent nothing.');
  }
  const bounded = async function* (chunks: AsyncIterable<Uint8Array>) {
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new Error(`The list is larger than ${maxBytes} bytes.`);
      yield chunk;
    }
  };
  await pipeline(
    Readable.fromWeb(body as ReadableStream),
    bounded,
    createWriteStream(file, { mode: 0o600 }),
    { signal },
  );
  return { etag: headers.get('etag'), lastModified: headers.get('last-modified') };
}

function whatIsWrong(status: number, headers: Headers): string | undefined {
  if (status !== 200) return `The server answered with status ${status}.`;
  return headers.get('content-type')?.includes('html') ? 'The server sent a page in HTML.' : undefined;
}
