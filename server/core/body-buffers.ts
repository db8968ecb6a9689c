/** Room before a body for what its answer begins with, and after it for what it ends with. */
const margin = 4096;
const smallest = 16 * 1024;
const largest = 4 * 1024 * 1024;

/**
 * Memory for large bodies that is used again. Without it each of them is allocated, faulted in page by page and left to
 * the garbage collector, which costs more than copying: at 64 KiB three times the CPU and pauses of tens of
 * milliseconds. Sizes are powers of two; at most `maxBytes` wait for their next use.
 */
export class BodyBuffers {
  readonly #free = new Map<number, ArrayBuffer[]>();
  readonly #ours = new WeakSet<ArrayBufferLike>();
  readonly #maxBytes: number;
  #freeBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** A buffer of that length. Whoever does not give it back leaves it to the garbage collector. */
  take(length: number): Buffer {
    const size = Math.max(smallest, 2 ** Math.ceil(Math.log2(length + 2 * margin)));
    const memory = this.#free.get(size)?.pop();
    if (memory) {
      this.#freeBytes -= size;
      return Buffer.from(memory, margin, length);
    }
    const { buffer } = Buffer.allocUnsafeSlow(size);
    if (size <= largest) this.#ours.add(buffer);
    return Buffer.from(buffer, margin, length);
  }

  /** The same bytes between `head` and `tail`, in place; undefined where the buffer has no room for them or is not ours. */
  frame(body: Buffer, head: string, tail: string): Buffer | undefined {
    const headBytes = Buffer.byteLength(head);
    const start = body.byteOffset - headBytes;
    const end = body.byteOffset + body.length;
    const tailBytes = Buffer.byteLength(tail);
    if (!this.#ours.has(body.buffer) || start < 0 || end + tailBytes > body.buffer.byteLength)
      return undefined;
    const framed = Buffer.from(body.buffer, start, end + tailBytes - start);
    framed.write(head, 0);
    framed.write(tail, headBytes + body.length);
    return framed;
  }

  /** For the next taker: nobody may read the buffer, or any other view of its memory, after this. */
  give({ buffer }: Buffer): void {
    const size = buffer.byteLength;
    if (!this.#ours.has(buffer) || this.#freeBytes + size > this.#maxBytes) return;
    const free = this.#free.get(size) ?? [];
    free.push(buffer as ArrayBuffer);
    this.#free.set(size, free);
    this.#freeBytes += size;
  }
}

/** Those of this process. */
export const bodyBuffers = new BodyBuffers(32 * 1024 * 1024);
