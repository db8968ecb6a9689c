import { Agent, request as send } from 'node:http';
import { createHistogram } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import type { LoadOptions, LoadResult, Request } from './load.ts';

/** The load itself: reads a job from standard input, writes what it measured to standard output. */

type Job = { url: string; requests: Request[] } & LoadOptions;

/** Microseconds: autocannon's own percentiles are whole milliseconds, which are too coarse here. */
const latency = createHistogram();

function record(milliseconds: number): void {
  latency.record(Math.max(1, Math.round(milliseconds * 1000)));
}

/** As many requests as the connections carry. */
async function flood(job: Job): Promise<Omit<LoadResult, 'p50' | 'p99' | 'longest'>> {
  const { promise, resolve, reject } = Promise.withResolvers<autocannon.Result>();
  const load = autocannon(
    {
      url: job.url,
      connections: job.connections,
      duration: job.seconds,
      requests: job.requests as autocannon.Request[],
    },
    (error, result) => (error ? reject(error) : resolve(result)),
  );
  load.on('response', (_client, _status, _bytes, milliseconds) => record(milliseconds));
  const result = await promise;
  return {
    total: result['2xx'] + result.non2xx,
    seconds: result.duration,
    failures: result.non2xx + result.errors,
  };
}

/** An even rate, whatever the answers take; autocannon sends each second's share at once, which measures a queue. */
async function pace(job: Job, rate: number): Promise<Omit<LoadResult, 'p50' | 'p99' | 'longest'>> {
  const agent = new Agent({ keepAlive: true, maxSockets: job.connections });
  const started = performance.now();
  const answers: Promise<boolean>[] = [];
  for (let elapsed = 0; elapsed < job.seconds * 1000; elapsed = performance.now() - started) {
    while (answers.length < (elapsed / 1000) * rate)
      answers.push(answered(job, job.requests[answers.length % job.requests.length] as Request, agent));
    await sleep(1);
  }
  const successes = await Promise.all(answers);
  agent.destroy();
  return {
    total: answers.length,
    seconds: job.seconds,
    failures: successes.filter((success) => !success).length,
  };
}

/** Whether one request was answered by 2xx; its time is recorded. */
function answered(job: Job, { path, body, ...options }: Request, agent: Agent): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const started = performance.now();
  const request = send(new URL(path, job.url), { ...options, agent }, (response) => {
    response.resume().on('end', () => {
      record(performance.now() - started);
      resolve((response.statusCode ?? 500) < 300);
    });
  });
  request.on('error', () => resolve(false));
  request.end(body);
  return promise;
}

const job = JSON.parse(await text(process.stdin)) as Job;
const result = await (job.rate === undefined ? flood(job) : pace(job, job.rate));
const answer: LoadResult = {
  ...result,
  p50: latency.percentile(50) / 1000,
  p99: latency.percentile(99) / 1000,
  longest: latency.max / 1000,
};
process.stdout.write(JSON.stringify(answer));
