/**
 * The chunks of a request's body. Each is there until the next one is asked for: its memory is freed then. Left to the
 * garbage collector, those of one large upload make it look through the whole heap, which takes more CPU than to hash them.
 */
export async function* freeing(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    yield chunk;
    free(chunk);
  }
}

function free({ buffer, length }: Buffer): void {
  // Small ones share memory with others.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0);
}
