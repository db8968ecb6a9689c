import { watch } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { RunFailed } from '#core/runner.ts';

/** Waits for the socket, for the end of the process, or for the deadline. */
export async function answering(
  { socketPath, gone }: { socketPath: string; gone: Promise<string> },
  seconds: number,
  signal: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const deadline = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => deadline.reject(new RunFailed(`The server did not open a port within ${seconds} s.`)),
    seconds * 1000,
  );
  either.addEventListener('abort', () => deadline.reject(signal.reason), { once: true });
  deadline.promise.catch(() => {});
  const ended = gone.then((how) => {
    throw new RunFailed(`The server did not start: ${how}.`);
  });
  ended.catch(() => {});
  using watching = watched(path.dirname(socketPath));
  const accepted = (async () => {
    while (!(over.signal.aborted || (await accepts(socketPath)))) await watching.changed();
  })();
  try {
    await Promise.race([accepted, ended, deadline.promise]);
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}

function accepts(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** Changes of a folder's entries; one that came before it was asked for is not lost. */
function watched(folder: string): Disposable & { changed(): Promise<void> } {
  let pending = false;
  let wake = () => {};
  const watcher = watch(folder, () => {
    pending = true;
    wake();
  });
  return {
    async changed() {
      // A socket is there a moment before it listens.
      const again = setTimeout(() => wake(), 20);
      if (!pending)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      clearTimeout(again);
      pending = false;
    },
    [Symbol.dispose]: () => watcher.close(),
  };
}
