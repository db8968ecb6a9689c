import type { Logger } from 'pino';

/**
 * Work that is due again and again. Every node runs every task, so a task must bear being run twice at once. Starts are
 * spread by chance, so that nodes do not move in step.
 */
export class Tasks implements AsyncDisposable {
  readonly #log: Logger;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #running = new Set<Promise<void>>();
  #closed = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  every(seconds: number, name: string, work: () => Promise<unknown>): void {
    const again = () => {
      if (this.#closed) return;
      const timer = setTimeout(
        () => {
          this.#timers.delete(timer);
          const run = this.#run(name, work).finally(() => {
            this.#running.delete(run);
            again();
          });
          this.#running.add(run);
        },
        seconds * 1000 * (0.75 + Math.random() / 2),
      );
      timer.unref();
      this.#timers.add(timer);
    };
    again();
  }

  async #run(name: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (err) {
      this.#log.warn({ err, task: name }, `The task "${name}" failed; it will be tried again.`);
    }
  }

  /** Starts nothing more and waits for what runs. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await Promise.all(this.#running);
  }
}
