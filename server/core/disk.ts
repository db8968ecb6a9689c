import { statfs } from 'node:fs/promises';
import { Problem } from './problem.ts';
import { RunFailed } from './runner.ts';

/** For the owner of a deployment, who is rarely the one who can fix it. */
export class DiskFull extends RunFailed {
  override name = 'DiskFull';

  constructor(options?: ErrorOptions) {
    super(
      'The disk of the server is full. What is live goes on answering. Whoever operates the server has to make room ' +
        '(`mainstay-server doctor` shows how much there is); then deploy again.',
      options,
    );
  }
}

const mostKept = 256 * 1024 ** 2;
/** Of the blocks and of the entries of a disk. */
const keptShare = 0.05;

/**
 * Whether the disk of that folder has no room for what may be done another time: the rest is for the database, for blobs and for
 * logs, which mostly are on the same one.
 */
export async function isNearlyFull(folder: string): Promise<boolean> {
  const { bavail, blocks, bsize, files, ffree } = await statfs(folder);
  // Some file systems count no entries, and say 0 of 0.
  return bavail * bsize < Math.min(mostKept, blocks * bsize * keptShare) || ffree < files * (keptShare / 10);
}

const fullCodes: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT']);

/** Whether that is what an error comes from, by whatever engine it was noticed. */
export function comesFromFullDisk(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof Problem && at.kind === 'storage_full') return true;
    if (at instanceof DiskFull || fullCodes.has((at as NodeJS.ErrnoException).code)) return true;
  }
  return false;
}
