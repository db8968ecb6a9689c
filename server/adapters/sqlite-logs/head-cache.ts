import { LRUCache } from 'lru-cache';
import type { BlockHead } from '#adapters/sqlite-logs/block.ts';

const usualBytes = { heads: 16 * 1024 * 1024, blooms: 32 * 1024 * 1024 };

/**
 * What is known of blocks without reading a line: every question goes through these, of each block in its range. Blocks
 * never change, so what was read once holds. Bounded by bytes: ten million lines have about 20 MiB of it.
 */
export class HeadCache {
  readonly #heads: LRUCache<string, BlockHead>;
  readonly #blooms: LRUCache<string, Uint8Array>;

  constructor(bytes: typeof usualBytes = usualBytes) {
    this.#heads = new LRUCache({ maxSize: bytes.heads });
    this.#blooms = new LRUCache({ maxSize: bytes.blooms });
  }

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
