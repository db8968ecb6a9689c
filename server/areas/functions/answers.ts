import { request } from 'node:http';
import { type Instance, RunFailed } from '#core/runner.ts';

/**
 * Waits for any answer to a request for the first page: an error page is one too, since what an application says there is its
 * own affair. Throws `RunFailed` where none comes.
 */
export async function answersHttp(
  { socketPath, gone }: Instance,
  seconds: number,
  signal: AbortSignal,
): Promise<void> {
  const deadline = AbortSignal.timeout(seconds * 1000);
  const asking = new AbortController();
  const ended = gone.then((how) => {
    throw new RunFailed(`The server exited before it responded to a request: ${how}.`);
  });
  try {
    await Promise.race([ask(socketPath, AbortSignal.any([signal, deadline, asking.signal])), ended]);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RunFailed) throw error;
    if (deadline.aborted) throw new RunFailed(`The server did not respond to a request within ${seconds} s.`);
    // A process that hangs up has mostly ended; then the reason is how.
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, hangUpMilliseconds).unref())]);
    throw new RunFailed('The server closed the connection without a response.');
  } finally {
    asking.abort();
    ended.catch(() => {});
  }
}

const hangUpMilliseconds = 2000;

function ask(socketPath: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...{ host: 'localhost', 'user-agent': 'Mainstay', 'x-mainstay-check': '1', accept: '*/*' },
      // As the gateway sends them: applications rely on their being there.
      ...{ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-host': 'localhost', 'x-forwarded-proto': 'http' },
    };
    const asked = request({ socketPath, method: 'HEAD', path: '/', headers, agent: false, signal });
    asked.on('response', (response) => {
      response.resume();
      resolve();
    });
    asked.on('upgrade', (_response, socket) => {
      socket.destroy();
      resolve();
    });
    // What speaks another protocol than HTTP has spoken.
    asked.on('error', (error: NodeJS.ErrnoException) =>
      error.code?.startsWith('HPE_') ? resolve() : reject(error),
    );
    asked.end();
  });
}
