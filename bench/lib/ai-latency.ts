import { Agent, request as send } from 'node:http';
import { text } from 'node:stream/consumers';

/** One request after the other over one connection: microseconds to the first byte of a body, and to its end. */

interface Job {
  url: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  times: number;
}

const job = JSON.parse(await text(process.stdin)) as Job;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const first: number[] = [];
const whole: number[] = [];
for (let time = 0; time < job.times; time++) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const began = performance.now();
  const request = send(
    new URL(job.path, job.url),
    { method: 'POST', headers: job.headers, agent },
    (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${answer.statusCode}`));
      answer.once('data', () => first.push(performance.now() - began));
      answer.once('end', () => {
        whole.push(performance.now() - began);
        resolve();
      });
      answer.resume();
    },
  );
  request.once('error', reject);
  request.end(job.body);
  await promise;
}
agent.destroy();
const at = (values: number[], share: number) =>
  values.sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
process.stdout.write(
  JSON.stringify({
    first: { p50: at(first, 0.5), p99: at(first, 0.99) },
    whole: { p50: at(whole, 0.5), p99: at(whole, 0.99) },
  }),
);
