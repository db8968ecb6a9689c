import { write, writeSync } from 'node:fs';

const chunkBytes = 64 * 1024;
/** What may wait for a reader that is slow; beyond it lines are dropped and counted. */
const maxWaitingBytes = 8 * 1024 * 1024;
const flushMilliseconds = 100;
const retryMilliseconds = 10;

/**
 * Writes lines to a file descriptor without waiting for it. Lines are copied into a chunk at once, and chunks leave when
 * they are full or a tenth of a second old: half a microsecond a line, a fifth of what gathering strings costs.
 */
export class LineWriter {
  readonly #descriptor: number;
  readonly #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #chunk = Buffer.allocUnsafe(chunkBytes);
  #length = 0;
  #writing: Buffer | undefined;
  #timer: NodeJS.Timeout | undefined;
  #dropped = 0;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  write(line: string): void {
    // At most three bytes a UTF-16 unit.
    const room = line.length * 3;
    if (this.#length + room > this.#chunk.length) this.#turnChunk(room);
    this.#length += this.#chunk.write(line, this.#length);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#turnChunk(0);
    }, flushMilliseconds).unref();
  }

  /** Writes all that waits before it returns. What is on its way already gets there by itself. */
  flush(): void {
    this.#turnChunk(0);
    for (const bytes of this.#waiting.splice(0)) writeAll(this.#descriptor, bytes);
    this.#waitingBytes = 0;
  }

  #turnChunk(room: number): void {
    if (this.#length > 0) this.#queue(this.#chunk.subarray(0, this.#length));
    this.#chunk = Buffer.allocUnsafe(Math.max(chunkBytes, room));
    this.#length = 0;
    this.#next();
  }

  #queue(bytes: Buffer): void {
    if (this.#waitingBytes + bytes.length > maxWaitingBytes) {
      this.#dropped += countLines(bytes);
      return;
    }
    if (this.#dropped > 0) {
      const note = `{"level":40,"time":${Date.now()},"pid":${process.pid},"msg":"${this.#dropped} lines of this log were dropped: its reader is too slow."}\n`;
      this.#waiting.push(Buffer.from(note));
      this.#dropped = 0;
    }
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
  }

  #next(): void {
    if (this.#writing) return;
    const bytes = this.#waiting.shift();
    if (!bytes) return;
    this.#waitingBytes -= bytes.length;
    this.#writing = bytes;
    this.#send(bytes);
  }

  #send(bytes: Buffer): void {
    write(this.#descriptor, bytes, (error, written = 0) => {
      if (error?.code === 'EAGAIN') {
        setTimeout(() => this.#send(bytes), retryMilliseconds);
        return;
      }
      const rest = bytes.subarray(written);
      // Nobody reads it any more (EPIPE and the like): there is nowhere to say so.
      this.#writing = error || rest.length === 0 ? undefined : rest;
      if (this.#writing) this.#send(rest);
      else this.#next();
    });
  }
}

function writeAll(descriptor: number, bytes: Buffer): void {
  for (let rest = bytes, tries = 0; rest.length > 0 && tries < 1000; tries++) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMilliseconds);
    }
  }
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (const byte of bytes) if (byte === 0x0a) lines++;
  return lines;
}
