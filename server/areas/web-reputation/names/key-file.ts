import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type HashKey, toHashKey } from './hash.ts';

/** The folder's hash key, made on first use. Of several processes that make one at once, all end with the same. */
export async function openHashKey(folder: string): Promise<HashKey> {
  const file = path.join(folder, 'hash-key');
  const known = await readFile(file).catch(() => undefined);
  if (known?.length === 8) return toHashKey(known);
  const aside = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(aside, randomBytes(8), { mode: 0o600, flush: true });
  try {
    await link(aside, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(aside, { force: true });
  }
  return toHashKey(await readFile(file));
}
