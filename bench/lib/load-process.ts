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

/**
 * An even rate, whatever the answers take; autocannon sends each second's share at once, which measures a queue. What is
 * sent beside comes from this same process: two on one core would measure how the system shares that core.
 */
async function pace(job: Job, rate: number): Promise<Omit<LoadResult, 'p50' | 'p99' | 'longest'>> {
  const agents = [job.requests, job.beside].map(
    () => new Agent({ keepAlive: true, maxSockets: job.connections }),
  ) as [Agent, Agent];
  const started = performance.now();
  const answers: Promise<Answered>[] = [];
  let besides = 0;
  for (let elapsed = 0; elapsed < job.seconds * 1000; elapsed = performance.now() - started) {
    const due = (elapsed / 1000) * rate;
    while (answers.length < due) answers.push(answered(job, nth(job.requests, answers.length), agents[0]));
    while (job.beside && besides < due) void answered(job, nth(job.beside, besides++), agents[1]);
    await sleep(1);
  }
  const all = await Promise.all(answers);
  for (const agent of agents) agent.destroy();
  for (const { milliseconds } of all) record(milliseconds);
  return {
    total: answers.length,
    seconds: job.seconds,
    failures: all.filter(({ success }) => !success).length,
  };
}

const nth = (requests: Request[], index: number) => requests[index % requests.length] as Request;

interface Answered {
  /** Whether the answer was 2xx. */
  success: boolean;
  milliseconds: number;
}

function answered(job: Job, { path, body, ...options }: Request, agent: Agent): Promise<Answered> {
  const { promise, resolve } = Promise.withResolvers<Answered>();
  const started = performance.now();
  const end = (success: boolean) => resolve({ success, milliseconds: performance.now() - started });
  const request = send(new URL(path, job.url), { ...options, agent }, (response) => {
    response.resume().on('end', () => end((response.statusCode ?? 500) < 300));
  });
  request.on('error', () => end(false));
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
