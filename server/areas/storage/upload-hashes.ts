import { createHash, type Hash } from 'node:crypto';
import { LazyLru } from '#core/lazy-lru.ts';
import type { HashName } from './content.ts';
import type { UploadRow } from './upload-store.ts';

/** The digests that a session has to end with; what it names decides. */
export function hashesOf(row: UploadRow): HashName[] {
  const wanted: HashName[] = [];
  if (row.checksum_sha256 !== null) wanted.push('sha256');
  if (row.checksum_sha1 !== null) wanted.push('sha1');
  if (row.checksum_md5 !== null) wanted.push('md5');
  return wanted;
}

export type Digests = Partial<Record<HashName, string>>;

/** Digests under way, up to some byte of the content. */
export class Running {
  readonly received: number;
  readonly #hashes: ReadonlyMap<HashName, Hash>;

  constructor(received: number, hashes: ReadonlyMap<HashName, Hash>) {
    this.received = received;
    this.#hashes = hashes;
  }

  static begin(names: readonly HashName[]): Running {
    return new Running(0, new Map(names.map((name) => [name, createHash(name)])));
  }

  /** Continues over a chunk after `content`, leaving this one as it is until the bytes are committed. */
  fork(): { update(chunk: Uint8Array): void; at(received: number): Running } {
    const copies = new Map([...this.#hashes].map(([name, hash]) => [name, hash.copy()]));
    return {
      update: (chunk) => {
        for (const hash of copies.values()) hash.update(chunk);
      },
      at: (received) => new Running(received, copies),
    };
  }

  digests(): Digests {
    return Object.fromEntries([...this.#hashes].map(([name, hash]) => [name, hash.copy().digest('hex')]));
  }
}

/** Of the sessions that this process has seen bytes of: others are read again when they are complete. */
export class RunningHashes {
  readonly #known = new LazyLru<string, Running>({ max: 20_000 });

  get(row: UploadRow): Running | undefined {
    if (row.received === 0) return Running.begin(hashesOf(row));
    const known = this.#known.get(row.id);
    return known?.received === row.received ? known : undefined;
  }

  set(id: string, running: Running): void {
    this.#known.set(id, running);
  }

  forget(id: string): void {
    this.#known.delete(id);
  }
}
