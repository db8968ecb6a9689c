import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** Undefined where there is no such file, or none that is JSON. */
export async function readJson<T>(file: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Written aside and renamed: a reader never sees half of it. `mode` holds from its first byte on. */
export async function writeAside(file: string, text: string | Uint8Array, mode = 0o666): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: mode === 0o600 ? 0o700 : 0o777 });
  const aside = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  try {
    const handle = await open(aside, 'wx', mode);
    try {
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
    await rename(aside, file);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
}

/** For secrets. */
export function writePrivate(file: string, value: unknown): Promise<void> {
  return writeAside(file, `${JSON.stringify(value, null, 2)}\n`, 0o600);
}

const lockPollMilliseconds = 25;
/** Whoever holds it longer has died: nothing under the lock takes that long. */
const lockStaleMilliseconds = 60_000;

/** One process at a time. */
export async function exclusively<T>(file: string, work: () => Promise<T>): Promise<T> {
  const lock = `${file}.lock`;
  await mkdir(path.dirname(lock), { recursive: true, mode: 0o700 });
  for (;;) {
    try {
      await (await open(lock, 'wx', 0o600)).close();
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const held = await stat(lock).catch(() => null);
      if (held && Date.now() - held.mtimeMs > lockStaleMilliseconds) await rm(lock, { force: true });
      else await new Promise((resolve) => setTimeout(resolve, lockPollMilliseconds));
    }
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}
