import { LRUCache } from 'lru-cache';
import type { BlockHead } from '#adapters/sqlite-logs/block.ts';

const maxHeadBytes = 16 * 1024 * 1024;
const maxBloomBytes = 32 * 1024 * 1024;

/**
 * What is known of blocks without reading a line: every question goes through these, of each block in its range. Blocks
 * never change, so what was read once holds. Bounded by bytes: ten million lines have about 20 MiB of it.
 */
export class HeadCache {
  readonly #heads = new LRUCache<string, BlockHead>({ maxSize: maxHeadBytes });
  readonly #blooms = new LRUCache<string, Uint8Array>({ maxSize: maxBloomBytes });

  head(name: string, read: () => string): BlockHead {
    const known = this.#heads.get(name);
    if (known) return known;
    const text = read();
    const head = JSON.parse(text) as BlockHead;
    this.#heads.set(name, head, { size: name.length + text.length * 2 });
    return head;
  }

  bloom(name: string, read: () => Uint8Array): Uint8Array {
    const known = this.#blooms.get(name);
    if (known) return known;
    const bytes = read();
    this.#blooms.set(name, bytes, { size: name.length + bytes.length });
    return bytes;
  }
}
