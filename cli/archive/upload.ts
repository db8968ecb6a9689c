import { ApiError, type Client, ConnectionError } from '@mainstay/sdk';
import { pause } from '../core/pause.ts';

/** The parts that an archive is sent in, several at once; each is kept until it has arrived. */
const partBytes = 8 * 1024 * 1024;
const partsAtOnce = 4;
const maxFailures = 10;
const firstDelayMilliseconds = 250;
const longestDelayMilliseconds = 15_000;
const partTimeoutMilliseconds = 300_000;

interface Target {
  client: Client;
  deploymentId: string;
  signal: AbortSignal;
  onSent(bytes: number): void;
  onRetry(reason: string): void;
}

/** Sends what comes as the archive of the deployment, which is queued then. A part that a broken connection took is sent again. */
export async function uploadArchive(target: Target, chunks: AsyncIterable<Buffer>): Promise<void> {
  const { client, deploymentId, signal } = target;
  const { uploadId } = await client.deployments.startUpload(deploymentId, { signal, retries: maxFailures });
  const parts: { partNumber: number; etag: string }[] = [];
  const running = new Set<Promise<void>>();
  const failed = new AbortController();
  const stop = AbortSignal.any ? AbortSignal.any([signal, failed.signal]) : signal;
  let partNumber = 0;
  const start = async (body: Buffer) => {
    const number = ++partNumber;
    const work = sendPart({ ...target, signal: stop }, uploadId, number, body)
      .then((etag) => void parts.push({ partNumber: number, etag }))
      .catch((error) => {
        failed.abort(error);
        throw error;
      })
      .finally(() => running.delete(work));
    running.add(work);
    work.catch(() => {});
    if (running.size >= partsAtOnce) await Promise.race(running);
    stop.throwIfAborted();
  };
  let pending: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    pending.push(chunk);
    size += chunk.length;
    if (size < partBytes) continue;
    const whole = Buffer.concat(pending);
    let at = 0;
    for (; whole.length - at >= partBytes; at += partBytes) await start(whole.subarray(at, at + partBytes));
    pending = [whole.subarray(at)];
    size = whole.length - at;
  }
  if (size > 0) await start(Buffer.concat(pending));
  await Promise.all(running);
  parts.sort((a, b) => a.partNumber - b.partNumber);
  await client.deployments.completeUpload(
    deploymentId,
    { uploadId, parts },
    { signal, retries: maxFailures },
  );
}

async function sendPart(target: Target, uploadId: string, partNumber: number, body: Buffer): Promise<string> {
  const { client, deploymentId, signal, onSent, onRetry } = target;
  for (let failures = 0; ; ) {
    try {
      const { url } = await client.deployments.uploadPart(deploymentId, { uploadId, partNumber }, { signal });
      const etag = await putPart(url, body, signal);
      onSent(body.length);
      return etag;
    } catch (error) {
      signal.throwIfAborted();
      const status = error instanceof ApiError ? error.status : undefined;
      const mayPass =
        error instanceof ConnectionError || (status !== undefined && (status === 429 || status >= 500));
      if (!mayPass || ++failures > maxFailures) throw error;
      onRetry((error as Error).message);
      const delay = Math.min(firstDelayMilliseconds * 2 ** failures, longestDelayMilliseconds);
      await pause(delay * (0.5 + Math.random() / 2), signal);
    }
  }
}

async function putPart(url: string, body: Buffer, signal: AbortSignal): Promise<string> {
  const timeout = AbortSignal.timeout(partTimeoutMilliseconds);
  const either = AbortSignal.any ? AbortSignal.any([signal, timeout]) : signal;
  let response: Response;
  try {
    response = await fetch(url, {
      method: 'PUT',
      headers: { 'content-type': 'application/zip' },
      body: new Uint8Array(body.buffer, body.byteOffset, body.byteLength) as Uint8Array<ArrayBuffer>,
      signal: either,
    });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw new ConnectionError('The connection broke while a part was sent.', { cause: error });
  }
  const text = await response.text().catch(() => '');
  if (!response.ok) {
    const { error } = parse(text);
    throw new ApiError(error ?? `${response.status} ${response.statusText}`, { status: response.status });
  }
  const etag = response.headers.get('etag');
  if (etag === null) throw new ConnectionError('A proxy removed the ETag of a part from the response.');
  return etag;
}

function parse(text: string): { error?: string } {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
