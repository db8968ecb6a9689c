import cluster, { type Worker } from 'node:cluster';
import { randomUUID } from 'node:crypto';
import type { Readiness, ReadyState } from '#core/readiness.ts';

/** How the process that starts the workers, which opens no database, learns whether they can serve. */
interface Question {
  type: 'mainstay:ready?';
  id: string;
}

interface Answer {
  type: 'mainstay:ready';
  id: string;
  state: ReadyState | null;
}

/** A worker's own answer takes up to 2 s. */
const answerMilliseconds = 2500;

/** In a worker. */
export function answerReadiness(readiness: Readiness): void {
  process.on('message', async (message: Partial<Question> | undefined) => {
    if (message?.type !== 'mainstay:ready?' || message.id === undefined) return;
    const state = await readiness.check().catch(() => null);
    const answer: Answer = { type: 'mainstay:ready', id: message.id, state };
    if (process.connected) process.send?.(answer);
  });
}

/** The best of what they say: one that is ready can be sent requests. Throws when none is. */
export async function askWorkers(workers: readonly Worker[]): Promise<ReadyState> {
  const connected = workers.filter((worker) => worker.isConnected());
  if (connected.length === 0) throw new Error('No worker is running.');
  const id = randomUUID();
  const { promise, resolve, reject } = Promise.withResolvers<ReadyState>();
  const states: Answer['state'][] = [];
  const hear = (_worker: Worker, message: Partial<Answer> | undefined) => {
    if (message?.type !== 'mainstay:ready' || message.id !== id) return;
    states.push(message.state ?? null);
    if (message.state === 'ready') resolve('ready');
    else if (states.length === connected.length) settle();
  };
  const settle = () => {
    if (states.includes('degraded')) resolve('degraded');
    else reject(new Error('No worker can serve requests just now.'));
  };
  cluster.on('message', hear);
  const timer = setTimeout(settle, answerMilliseconds);
  try {
    for (const worker of connected) worker.send({ type: 'mainstay:ready?', id } satisfies Question);
    return await promise;
  } finally {
    clearTimeout(timer);
    cluster.off('message', hear);
  }
}
