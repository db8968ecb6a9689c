import { text } from 'node:stream/consumers';
import autocannon from 'autocannon';
import type { LoadOptions, LoadResult, Request } from './load.ts';

/** The load itself: reads a job from standard input, writes what it measured to standard output. */
const job = JSON.parse(await text(process.stdin)) as { url: string; requests: Request[] } & LoadOptions;
const result = await autocannon({
  url: job.url,
  connections: job.connections,
  duration: job.seconds,
  ...(job.rate === undefined ? {} : { overallRate: job.rate }),
  requests: job.requests as autocannon.Request[],
});
const answer: LoadResult = {
  total: result['2xx'] + result.non2xx,
  seconds: result.duration,
  p50: result.latency.p50,
  p99: result.latency.p99,
  failures: result.non2xx + result.errors,
};
process.stdout.write(JSON.stringify(answer));
