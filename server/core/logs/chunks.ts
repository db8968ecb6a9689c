/** Lines as the thread takes them: memory that both threads see, so that nothing is copied or collected on its way. */
export interface LinesChunk {
  /** JSON in UTF-8, each line with a comma behind it. */
  memory: SharedArrayBuffer;
  bytes: number;
}

/** Larger texts are large objects in V8, which only a full collection frees. */
const chunkBytes = 64 * 1024;
/** Four MiB: what is under way and what gathers meanwhile, at 20 000 lines a second. */
const maxSpare = 64;

/** A chunk that is being filled. */
export class OpenChunk implements LinesChunk {
  readonly memory: SharedArrayBuffer;
  readonly #buffer: Buffer;
  bytes = 0;
  lines = 0;

  constructor(size: number) {
    this.memory = new SharedArrayBuffer(size);
    this.#buffer = Buffer.from(this.memory);
  }

  /** How much it took; 0: there is no room for all of it. */
  add(text: string): number {
    const room = this.memory.byteLength - this.bytes - 1;
    // A UTF-16 unit is at most three bytes.
    if (text.length * 3 > room && Buffer.byteLength(text) > room) return 0;
    const end = this.bytes + this.#buffer.write(text, this.bytes);
    this.#buffer[end] = comma;
    const taken = end + 1 - this.bytes;
    this.bytes += taken;
    this.lines++;
    return taken;
  }

  clear(): void {
    this.bytes = 0;
    this.lines = 0;
  }
}

const comma = 0x2c;

/** Hands out chunks, and keeps those of the usual size for the next lines. */
export class ChunkPool {
  readonly #spare: OpenChunk[] = [];

  /** With room for the text. */
  take(text: string): OpenChunk {
    const most = text.length * 3 + 1;
    const needed = most > chunkBytes ? Buffer.byteLength(text) + 1 : most;
    if (needed > chunkBytes) return new OpenChunk(needed);
    return this.#spare.pop() ?? new OpenChunk(chunkBytes);
  }

  release(chunks: readonly OpenChunk[]): void {
    for (const chunk of chunks) {
      if (chunk.memory.byteLength !== chunkBytes || this.#spare.length >= maxSpare) continue;
      chunk.clear();
      this.#spare.push(chunk);
    }
  }
}

/** What the thread reads. */
export function linesOf({ memory, bytes }: LinesChunk): unknown[] {
  if (bytes === 0) return [];
  return JSON.parse(`[${Buffer.from(memory, 0, bytes - 1).toString()}]`);
}
