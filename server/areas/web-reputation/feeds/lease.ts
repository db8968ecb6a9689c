import { open, readFile, rm, stat, utimes } from 'node:fs/promises';

const beatMilliseconds = 10_000;
const staleMilliseconds = 60_000;

/** Names this process among all that ever had its number. */
export const self = `${process.pid} ${Math.round(performance.timeOrigin)}`;

/**
 * Does the work unless another process of this machine is doing it: undefined then. A holder that died is followed at
 * once, one that stalls a minute later. Two at once, which a stalled holder that awakes can still bring about, must be
 * harmless. `holder` is the `self` of the process, for threads have one of their own.
 */
export async function withLease<T>(
  file: string,
  holder: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  if (!(await take(file, holder))) return undefined;
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

async function take(file: string, holder: string): Promise<boolean> {
  if (await create(file, holder)) return true;
  const held = await stat(file).catch(() => undefined);
  const isFresh = held !== undefined && Date.now() - held.mtimeMs < staleMilliseconds;
  if (isFresh && isAlive(await readFile(file, 'utf8').catch(() => ''), holder)) return false;
  await rm(file, { force: true });
  return create(file, holder);
}

async function create(file: string, holder: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx', 0o600);
    await handle.writeFile(holder);
    await handle.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isAlive(other: string, holder: string): boolean {
  // Just created, and not written yet.
  if (other === '' || other === holder) return true;
  const pid = Number(other.split(' ')[0]);
  // The same number at another time: in containers every process is number 1.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
