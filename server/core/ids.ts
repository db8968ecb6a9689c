import { randomFillSync } from 'node:crypto';

const pool = Buffer.allocUnsafe(8 * 1024);
let poolOffset = pool.length;
let lastMilliseconds = 0;
let counter = 0;

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * A UUIDv7 (RFC 9562, 5.7). Ids made by one process are strictly increasing (section 6.2, method 1: `rand_a` counts
 * within a millisecond), so that rows written together keep their order. `crypto.randomUUIDv7` does not promise that.
 */
export function newId(now: number = Date.now()): string {
  if (poolOffset + 10 > pool.length) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  const at = poolOffset;
  poolOffset += 10;
  if (now > lastMilliseconds) {
    lastMilliseconds = now;
    // Start low in the 12 bits, so that at least 2 048 ids fit before time has to be borrowed.
    counter = pool.readUInt16BE(at + 8) & 0x7ff;
  } else if (++counter > 0xfff) {
    lastMilliseconds++;
    counter = 0;
  }
  const high = Math.floor(lastMilliseconds / 0x10000)
    .toString(16)
    .padStart(8, '0');
  const low = (lastMilliseconds % 0x10000).toString(16).padStart(4, '0');
  const count = counter.toString(16).padStart(3, '0');
  const byte = (offset: number) => hex[pool[at + offset] as number] as string;
  const variant = hex[((pool[at] as number) & 0x3f) | 0x80] as string;
  return `${high}-${low}-7${count}-${variant}${byte(1)}-${byte(2)}${byte(3)}${byte(4)}${byte(5)}${byte(6)}${byte(7)}`;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether the text is a UUID of any version, in either case. */
export function isId(text: string): boolean {
  return uuid.test(text);
}
