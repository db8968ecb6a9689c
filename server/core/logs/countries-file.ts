import { open } from 'node:fs/promises';
import { SettingsError } from '#core/settings.ts';

/** Stands before the description at the end of the file, within its last 128 KiB (MaxMind DB file format specification 2.0). */
const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
const searchedBytes = 128 * 1024;

/** Throws a sentence for the operator: a thread that finds it later can only fail again and again. */
export async function demandCountriesFile(file: string): Promise<void> {
  const refused = (why: string) =>
    new SettingsError([
      `MAINSTAY_REQUEST_LOG_COUNTRIES names ${file}, ${why}. Name a database in the .mmdb format.`,
    ]);
  let end: Buffer;
  try {
    await using handle = await open(file);
    const { size } = await handle.stat();
    const length = Math.min(size, searchedBytes);
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    end = buffer;
  } catch (error) {
    throw refused(`which cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  if (!end.includes(marker)) throw refused('which is no such database');
}
