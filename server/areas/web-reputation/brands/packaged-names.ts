import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';

const file = new URL('dist/packaged-names.txt', import.meta.url);

/**
 * Names of brands of every continent, and names near them that are others' own, from packages of data: in the form of
 * protected-names.txt. Taking them out of the packages takes seconds, so that `npm run build` does it; what was not built is made
 * here, and kept where that is possible.
 */
export async function packagedNames(): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const { derivePackagedNames } = await import('./derive.ts');
  const text = await derivePackagedNames();
  await writePackagedNames(text).catch(() => {});
  return text;
}

/** Others read the file meanwhile: it is there as a whole or not at all. */
export async function writePackagedNames(text: string): Promise<void> {
  const passing = new URL(`dist/${randomUUID()}`, import.meta.url);
  await mkdir(new URL('.', file), { recursive: true });
  await writeFile(passing, text);
  await rename(passing, file);
}
