import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { DayFile, type Drop, type Line } from '#adapters/sqlite-logs/day-file.ts';
import { dayFilePattern, dayMilliseconds, dayOf, dayStart, isBroken } from '#adapters/sqlite-logs/schema.ts';
import { Texts } from '#adapters/sqlite-logs/texts.ts';
import type { StreamSpec } from '#core/log-streams.ts';
import type { Entry } from '#core/logs/entry.ts';
import type { StoreKey } from '#core/logs/thread.ts';

/** Files that are open for writing at once: today's, yesterday's, and those of lines that come late. */
const maxOpen = 4;
/** A day is sealed when lines of requests that took long have had time to come. */
const sealAfter = 2 * 3_600_000;
/** The clock was set by somebody: until it has been right for long, nothing is deleted by it. */
const maxJump = 3_600_000;

/** The day files of one stream, written by one thread of each process. */
export class DayFolder {
  readonly #folder: string;
  readonly #spec: StreamSpec;
  readonly #retention: number;
  readonly #open = new Map<string, DayFile>();
  readonly #inodes = new Map<string, number>();
  readonly #notice: (text: string) => void;
  readonly #startedAt: number;
  readonly #started = performance.now();
  readonly #sealed = new Set<string>();

  /** `retention` in milliseconds. */
  constructor(options: {
    folder: string;
    spec: StreamSpec;
    retention: number;
    notice: (text: string) => void;
    now: number;
  }) {
    this.#folder = options.folder;
    this.#spec = options.spec;
    this.#retention = options.retention;
    this.#notice = options.notice;
    this.#startedAt = options.now;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
  }

  /** Stores the lines in the files of their days. What fails fails whole, day by day; it may be tried again. */
  append(
    entries: Iterable<Entry>,
    { drops, now, key }: { drops: readonly Drop[]; now: number; key: StoreKey },
  ): void {
    const days = new Map<number, { lines: Line[]; drops: Drop[] }>();
    const texts = new Texts(64 * 1024);
    const on = (at: number) => {
      const number = Math.floor(at / dayMilliseconds);
      const found = days.get(number) ?? { lines: [], drops: [] };
      days.set(number, found);
      return found;
    };
    for (const { body, detail, ...entry } of entries)
      on(entry.at).lines.push({ ...entry, body: texts.add(body), detail: texts.add(detail) });
    for (const drop of drops) on(drop.at).drops.push(drop);
    for (const [number, found] of days) {
      const day = dayOf(number * dayMilliseconds);
      this.#sealed.delete(day);
      this.#with(day, (file) => {
        file.append(found.lines, { drops: found.drops, now, key });
        while (file.seal({ all: false }));
      });
    }
  }

  purge(scope: string): void {
    for (const day of this.#days()) this.#with(day, (file) => file.purge(scope));
  }

  /** Deletes old days and seals days that are over; one step of the latter, true while there are more. */
  tend(now: number): boolean {
    this.#expire(now);
    for (const day of this.#days()) {
      if (this.#sealed.has(day) || now < dayStart(day) + dayMilliseconds + sealAfter) continue;
      const more = this.#with(day, (file) => file.seal({ all: true }) || file.shrink());
      if (!more) this.#sealed.add(day);
      return true;
    }
    return false;
  }

  close(): void {
    for (const file of this.#open.values()) file.close();
    this.#open.clear();
  }

  #expire(now: number): void {
    const drift = now - this.#startedAt - (performance.now() - this.#started);
    if (Math.abs(drift) > maxJump) return;
    for (const day of this.#days()) {
      if (dayStart(day) + dayMilliseconds > now - this.#retention) continue;
      this.#open.get(day)?.close();
      this.#open.delete(day);
      for (const suffix of ['', '-wal', '-shm']) rmSync(this.#file(day) + suffix, { force: true });
    }
  }

  #with<T>(day: string, work: (file: DayFile) => T): T | undefined {
    try {
      return work(this.#opened(day));
    } catch (error) {
      if (!isBroken(error)) throw error;
      this.#setAside(day, error);
      return work(this.#opened(day));
    }
  }

  #opened(day: string): DayFile {
    const known = this.#open.get(day);
    if (known) return known;
    for (const [oldest, file] of this.#open) {
      if (this.#open.size < maxOpen) break;
      file.close();
      this.#open.delete(oldest);
    }
    const file = new DayFile(this.#file(day), this.#spec);
    this.#open.set(day, file);
    this.#inodes.set(day, inodeOf(this.#file(day)) ?? 0);
    return file;
  }

  /** `doctor` names the files that were set aside. */
  #setAside(day: string, error: unknown): void {
    try {
      this.#open.get(day)?.close();
    } catch {
      // What is broken may refuse even that.
    }
    this.#open.delete(day);
    const opened = this.#inodes.get(day);
    this.#inodes.delete(day);
    // Another process has set it aside and made a new one: that one is not broken.
    if (opened !== undefined && inodeOf(this.#file(day)) !== opened) return;
    const aside = `${this.#file(day)}.broken-${Date.now()}`;
    for (const suffix of ['', '-wal', '-shm']) {
      try {
        renameSync(this.#file(day) + suffix, aside + suffix);
      } catch (cause) {
        // Another process was faster, or there is no such file.
        if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
      }
    }
    this.#notice(
      `The log file ${this.#file(day)} is broken (${(error as Error).message}); it was set aside as ${aside}.`,
    );
  }

  #days(): string[] {
    return readdirSync(this.#folder)
      .map((name) => dayFilePattern.exec(name)?.[1])
      .filter((day) => day !== undefined)
      .sort();
  }

  #file(day: string): string {
    return path.join(this.#folder, `${day}.db`);
  }
}

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}
