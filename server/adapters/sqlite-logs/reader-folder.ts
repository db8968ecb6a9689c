import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { DayReader } from '#adapters/sqlite-logs/day-reader.ts';
import { HeadCache } from '#adapters/sqlite-logs/head-cache.ts';
import { dayFilePattern, dayMilliseconds, dayStart, isBroken } from '#adapters/sqlite-logs/schema.ts';
import type { StreamSpec } from '#core/log-streams.ts';

export interface Day {
  start: number;
  end: number;
  reader: DayReader;
}

/** The day files of one stream, open for reading; files that are gone, or were set aside, are let go of. */
export class ReaderFolder {
  readonly spec: StreamSpec;
  readonly #folder: string;
  readonly #heads = new HeadCache();
  readonly #open = new Map<string, { reader: DayReader; inode: number }>();

  constructor(folder: string, spec: StreamSpec) {
    this.#folder = folder;
    this.spec = spec;
  }

  /** The days that reach into the range, newest first. */
  *days(from: number, to: number): Generator<Day> {
    const names = this.#names();
    for (const name of this.#open.keys()) if (!names.includes(name)) this.#close(name);
    for (const name of names.reverse()) {
      const start = dayStart(name);
      const end = start + dayMilliseconds - 1;
      if (end < from || start > to) continue;
      const reader = this.#reader(name);
      if (reader) yield { start, end, reader };
    }
  }

  close(): void {
    for (const name of [...this.#open.keys()]) this.#close(name);
  }

  /** Undefined: the file is gone, or broken; the writing thread sets it aside. */
  #reader(name: string): DayReader | undefined {
    const file = path.join(this.#folder, `${name}.db`);
    const inode = statSync(file, { throwIfNoEntry: false })?.ino;
    const known = this.#open.get(name);
    if (known?.inode === inode) return known?.reader;
    this.#close(name);
    if (inode === undefined) return undefined;
    try {
      const reader = new DayReader(file, { inode, heads: this.#heads });
      this.#open.set(name, { reader, inode });
      return reader;
    } catch (error) {
      if (isBroken(error)) return undefined;
      throw error;
    }
  }

  #close(name: string): void {
    this.#open.get(name)?.reader.close();
    this.#open.delete(name);
  }

  #names(): string[] {
    try {
      return readdirSync(this.#folder)
        .map((name) => dayFilePattern.exec(name)?.[1])
        .filter((name) => name !== undefined)
        .sort();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }
}
