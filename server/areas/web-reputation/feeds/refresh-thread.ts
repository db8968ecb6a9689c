import os from 'node:os';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { readNames } from '../squat/files.ts';
import { isGenuine } from '../squat/protected-names.ts';
import { readFeeds } from './declaration.ts';
import { withLease } from './lease.ts';
import { type RefreshOptions, refresh } from './refresh.ts';

/** What the thread is told. Files are read anew each time: operators edit them. */
export interface RefreshJob extends Omit<RefreshOptions, 'feeds' | 'isGenuine' | 'now'> {
  readonly feedsFile: string;
  readonly protectedNamesFile: string | undefined;
  /** The process that the thread belongs to. */
  readonly holder: string;
  /** Whether requests are answered meanwhile: until there is a first index, they wait for it. */
  readonly inBackground: boolean;
}

/** `busy`: another process of this machine is at it. */
export type RefreshOutcome = 'done' | 'busy';

const job = workerData as RefreshJob;

// Requests come first. On Linux this is the priority of the calling thread alone; elsewhere it would be the process's.
if (job.inBackground && process.platform === 'linux') os.setPriority(10);

const outcome = await withLease<RefreshOutcome>(path.join(job.folder, 'refreshing'), job.holder, async () => {
  const names = await readNames(job.protectedNamesFile);
  const feeds = await readFeeds(job.feedsFile);
  await refresh({ ...job, feeds, isGenuine: (domain) => isGenuine(names, domain), now: Date.now() });
  return 'done';
});
parentPort?.postMessage(outcome ?? 'busy');
