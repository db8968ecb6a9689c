import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import type { Clock } from '#core/clock.ts';
import { folderBytes } from '#core/folder-bytes.ts';

/** A cache that a build has; it counts as used until this is disposed. */
interface OpenCache extends AsyncDisposable {
  folder: string;
  /** What earlier builds have left in it. */
  bytes: number;
}

/** An application that builds no more leaves its cache on every node that ever built it. */
const unusedMilliseconds = 30 * 86_400_000;

/**
 * What package managers have downloaded, one folder an application: whatever its builds write there, nobody else's read. Only
 * whole caches are deleted, since half of one is none to some package managers.
 */
export class PackageCaches {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #most: number;
  readonly #mostOfAll: number;
  readonly #sizes = new Map<string, number>();
  readonly #used = new Set<string>();

  constructor(deps: {
    folder: string;
    clock: Clock;
    log: Logger;
    mostBytes: number;
    mostBytesOfAll: number;
  }) {
    this.#folder = deps.folder;
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#most = deps.mostBytes;
    this.#mostOfAll = deps.mostBytesOfAll;
  }

  /** One build of an application has it at a time. Null where none are kept. */
  async open(applicationId: string): Promise<OpenCache | null> {
    if (this.#most === 0 || this.#mostOfAll === 0) return null;
    const folder = this.#place(applicationId);
    this.#used.add(applicationId);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const bytes = await this.#sizeOf(applicationId);
    return {
      ...{ folder, bytes },
      [Symbol.asyncDispose]: async () => {
        await this.#close(applicationId).catch((err) =>
          this.#log.warn({ err, applicationId }, 'A package cache could not be looked after.'),
        );
      },
    };
  }

  async #close(applicationId: string): Promise<void> {
    try {
      this.#sizes.delete(applicationId);
      const now = new Date(this.#clock.now());
      await utimes(this.#place(applicationId), now, now);
      if ((await this.#sizeOf(applicationId)) > this.#most) await this.#delete(applicationId);
    } finally {
      this.#used.delete(applicationId);
    }
    await this.sweep();
  }

  /** Deletes caches that nobody has used for long, and of the others, used longest ago first, until all fit. */
  async sweep(): Promise<void> {
    const now = this.#clock.now();
    const names = await readdir(this.#folder).catch(() => []);
    const found = await Promise.all(
      names.map(async (name) => ({
        name,
        usedAt: (await stat(this.#place(name)).catch(() => null))?.mtimeMs ?? 0,
      })),
    );
    found.sort((a, b) => b.usedAt - a.usedAt);
    let bytes = 0;
    for (const { name, usedAt } of found) {
      bytes += await this.#sizeOf(name);
      const isOver = bytes > this.#mostOfAll || usedAt < now - unusedMilliseconds;
      if (isOver && !this.#used.has(name)) {
        bytes -= await this.#sizeOf(name);
        await this.#delete(name);
      }
    }
  }

  /** Deletes all that no build has: the first thing to go where the disk is full, since it can be downloaded again. */
  async empty(): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names) await this.remove(name);
  }

  async remove(applicationId: string): Promise<void> {
    if (!this.#used.has(applicationId)) await this.#delete(applicationId);
  }

  async #delete(name: string): Promise<void> {
    this.#sizes.delete(name);
    await rm(this.#place(name), { recursive: true, force: true });
  }

  async #sizeOf(name: string): Promise<number> {
    const known = this.#sizes.get(name);
    if (known !== undefined) return known;
    const bytes = await folderBytes(this.#place(name));
    this.#sizes.set(name, bytes);
    return bytes;
  }

  #place(name: string): string {
    return path.join(this.#folder, name);
  }
}
