import { Agent, get } from 'node:http';

/** Asks a server on this port every five milliseconds; told to report, answers with the latencies since the last time. */

export interface Latencies {
  answers: number;
  p50: number;
  p99: number;
}

const port = Number(process.argv[2]);
const agent = new Agent({ keepAlive: true });
let times: number[] = [];

setInterval(() => {
  const began = performance.now();
  const request = get({ host: '127.0.0.1', port, agent }, (answer) => {
    answer.once('end', () => times.push(performance.now() - began));
    answer.resume();
  });
  // The server is gone, and so is soon this process.
  request.once('error', () => {});
}, 5);

process.on('message', () => {
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  process.send?.({ answers: times.length, p50: at(0.5), p99: at(0.99) } satisfies Latencies);
  times = [];
});
process.on('disconnect', () => process.exit());
