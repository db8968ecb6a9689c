import { open, rm, stat, utimes } from 'node:fs/promises';

const beatMilliseconds = 10_000;
const staleMilliseconds = 60_000;

/**
 * Does the work unless another process of this machine is doing it: undefined then. Whoever dies at it is followed a
 * minute later. Two at once, which a stalled process can still bring about, must be harmless.
 */
export async function withLease<T>(file: string, work: () => Promise<T>): Promise<T | undefined> {
  if (!(await take(file))) return undefined;
  const beat = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch(() => undefined);
  }, beatMilliseconds);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    await rm(file, { force: true });
  }
}

async function take(file: string): Promise<boolean> {
  try {
    await (await open(file, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const held = await stat(file).catch(() => undefined);
  if (held && Date.now() - held.mtimeMs < staleMilliseconds) return false;
  await rm(file, { force: true });
  return open(file, 'wx', 0o600).then(
    async (handle) => {
      await handle.close();
      return true;
    },
    () => false,
  );
}
