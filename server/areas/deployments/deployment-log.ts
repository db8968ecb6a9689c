import { stripVTControlCharacters } from 'node:util';
import type { Clock } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { runShared } from '#core/waits.ts';
import { log as append, type LogLine } from './service.ts';
import type { LogType } from './store.ts';

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
  #pending: LogLine[] = [];
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(deps: { db: Db; clock: Clock; deploymentId: string }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#deploymentId = deps.deploymentId;
  }

  /** Values that must not be shown; as they are, in base64 and as part of a URL. Short ones would mask half the log. */
  mask(values: readonly string[]): void {
    const long = values.filter((value) => value.length >= 6);
    this.#secrets = long
      .flatMap((value) => [
        value,
        Buffer.from(value).toString('base64').replace(/=+$/, ''),
        encodeURIComponent(value),
      ])
      .sort((a, b) => b.length - a.length);
  }

  add(type: LogType, message: string): void {
    if (this.#pending.length >= maxPending) {
      this.#dropped += 1;
      return;
    }
    // Colours of a terminal are noise in a browser, and a way to hide text in a log.
    let shown = stripVTControlCharacters(message);
    for (const secret of this.#secrets) if (shown.includes(secret)) shown = shown.replaceAll(secret, '***');
    this.#pending.push({ type, message: shown, at: this.#clock.now() });
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
        message: `${this.#dropped} lines came too fast and are not shown.`,
        at: this.#clock.now(),
      });
    this.#pending = [];
    this.#dropped = 0;
    if (lines.length > 0) await this.#db.write((tx) => append(tx, this.#deploymentId, lines));
  }
}
