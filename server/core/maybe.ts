/** What is at hand, or will be. Hot paths continue with what is at hand, without a turn of the event loop. */
export type Maybe<T> = T | Promise<T>;

/** `next` with the value: now when it is at hand, else when it has come. */
export function andThen<T, R>(value: Maybe<T>, next: (value: T) => Maybe<R>): Maybe<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
