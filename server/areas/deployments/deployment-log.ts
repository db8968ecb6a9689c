import { stripVTControlCharacters } from 'node:util';
import type { Clock } from '#core/clock.ts';
import { counted } from '#core/counted.ts';
import type { Db } from '#core/db.ts';
import { type Mask, maskOf } from '#core/mask.ts';
import { NothingChanged } from '#core/problem.ts';
import { runShared } from '#core/waits.ts';
import type { LogType } from './log-store.ts';
import { log as append, type LogLine } from './service.ts';

const flushMilliseconds = 200;
const maxPending = 5000;

/**
 * The log of one deployment while it is worked on: lines are gathered for a moment and written together. What `mask` names is
 * replaced wherever it is printed.
 */
export class DeploymentLog {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #deploymentId: string;
  #secrets: readonly string[] = [];
  #mask: Mask = (text) => text;
  #pending: LogLine[] = [];
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(deps: { db: Db; clock: Clock; deploymentId: string }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#deploymentId = deps.deploymentId;
  }

  /** Values that must not be shown from now on, beside those of before. */
  mask(values: readonly string[]): void {
    this.#secrets = [...this.#secrets, ...values];
    this.#mask = maskOf(this.#secrets);
  }

  /** As it may be shown: a reason may hold what the code has printed. */
  masked(text: string): string {
    // Colours of a terminal are noise in a browser, and a way to hide text in a log.
    return this.#mask(stripVTControlCharacters(text));
  }

  add(type: LogType, message: string): void {
    if (this.#pending.length >= maxPending) {
      this.#dropped += 1;
      return;
    }
    this.#pending.push({ type, message: this.masked(message), at: this.#clock.now() });
    this.#timer ??= setTimeout(() => void runShared(() => this.flush()).catch(() => {}), flushMilliseconds);
  }

  info(message: string): void {
    this.add('INFO', message);
  }

  /** Resolves once everything that was added before is in the database: before a state turns, say. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.catch(() => {}).then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    const lines = this.#pending;
    if (this.#dropped > 0)
      lines.push({
        type: 'WARN',
        message: `${counted(this.#dropped, 'line')} came too fast and cannot be shown.`,
        at: this.#clock.now(),
      });
    this.#pending = [];
    this.#dropped = 0;
    if (lines.length === 0) return;
    try {
      await this.#db.write((tx) => append(tx, this.#deploymentId, lines));
    } catch (error) {
      // A disk that is full for a moment costs no lines.
      if (error instanceof NothingChanged) this.#pending = [...lines, ...this.#pending].slice(0, maxPending);
      throw error;
    }
  }
}
