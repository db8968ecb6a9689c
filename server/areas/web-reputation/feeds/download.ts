/** What the server said of the version that it sent, to ask for a newer one only. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export interface Download {
  readonly validators: Validators;
  readonly chunks: AsyncIterable<string>;
}

/**
 * Asks for a list, and for nothing if it has not changed (RFC 9110, 13.1): undefined then. Throws an `Error` for every
 * other answer than a list. Time and size are bounded; the size is that after decompression, so that a small answer
 * cannot unfold without end.
 */
export async function download(
  url: string,
  options: { known: Validators | undefined; maxBytes: number; timeoutSeconds: number; userAgent: string },
): Promise<Download | undefined> {
  const { known, maxBytes, timeoutSeconds, userAgent } = options;
  const response = await fetch(url, {
    headers: {
      accept: 'text/plain, application/json;q=0.9, */*;q=0.5',
      'user-agent': userAgent,
      ...(known?.etag ? { 'if-none-match': known.etag } : {}),
      ...(known?.lastModified ? { 'if-modified-since': known.lastModified } : {}),
    },
    signal: AbortSignal.timeout(timeoutSeconds * 1000),
  }).catch((error: Error) => {
    throw new Error(reason(error, timeoutSeconds));
  });
  if (response.status === 304 && known) {
    await response.body?.cancel();
    return undefined;
  }
  const refuse = async (why: string) => {
    await response.body?.cancel();
    throw new Error(why);
  };
  if (response.status !== 200) return refuse(`The server answered with status ${response.status}.`);
  const { headers, body } = response;
  if (headers.get('content-type')?.includes('html')) return refuse('The server sent a page in HTML.');
  if (!body) return refuse('The server sent nothing.');
  return {
    validators: { etag: headers.get('etag'), lastModified: headers.get('last-modified') },
    chunks: boundedText(body, maxBytes, timeoutSeconds),
  };
}

async function* boundedText(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  timeoutSeconds: number,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new Error(`The list is larger than ${maxBytes} bytes.`);
      yield decoder.decode(chunk, { stream: true });
    }
  } catch (error) {
    throw new Error(reason(error as Error, timeoutSeconds));
  }
}

/** `fetch` hides why it failed. */
function reason(error: Error, timeoutSeconds: number): string {
  if (error.name === 'TimeoutError') return `The server did not send the list within ${timeoutSeconds} s.`;
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
}
