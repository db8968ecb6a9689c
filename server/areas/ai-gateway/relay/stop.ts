/** What the relay asks of an `AbortSignal`; one of those will do as well. */
export interface Stop {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { once: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * Stops whatever listens, once. Each request has two, which hardly ever stop anything: as `AbortController`s they and
 * their listeners cost more than reading the request.
 */
export class Stopper implements Stop {
  #listeners: (() => void)[] = [];
  #controller: AbortController | undefined;
  aborted = false;

  /** Of those that stop it, the first counts. */
  stop(): void {
    if (this.aborted) return;
    this.aborted = true;
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
    this.#controller?.abort();
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    if (!this.aborted) this.#listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const at = this.#listeners.indexOf(listener);
    if (at >= 0) this.#listeners.splice(at, 1);
  }

  /** For what takes nothing else. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.aborted) this.#controller.abort();
    return this.#controller.signal;
  }
}
