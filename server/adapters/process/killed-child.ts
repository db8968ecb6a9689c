import { openProcessRunner } from './open.ts';

/** Starts a function, one more that it suspends, and a command, says so, and waits to be killed. */
const [kind, folder, runtime] = process.argv.slice(2) as ['process' | 'trusted', string, string];
const never = new AbortController().signal;
const runner = await openProcessRunner({ kind, allow: [], api: () => ({ host: '127.0.0.1', port: 1 }) });
const unit = {
  ...{ folder, entry: 'index.mjs', workingFolder: '', runtime, memoryMegabytes: 256, cpuPercent: 0 },
  ...{ services: [], env: {}, onLine: () => {} },
};
await runner.start(unit, never);
await runner.suspend(await runner.start(unit, never));
const limits = { memoryBytes: 256 * 1024 ** 2, cpuPercent: 0, diskBytes: 256 * 1024 ** 2 };
const onLine = () => process.stdout.write('ready\n');
const job = { folder, workingFolder: '', command: 'sleep 297.5 & echo started; wait', env: {}, onLine };
await runner.run({ ...job, ...limits }, never);
