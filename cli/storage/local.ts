import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { isAside } from './leftovers.ts';

export interface LocalFile {
  path: string;
  /** Below the folder, with the platform's separators. */
  relative: string;
  size: number;
}

/** Every file below a folder but halves of downloads; links followed to files alone: a link to a folder may lead in a circle. */
export async function filesBelow(folder: string, signal: AbortSignal): Promise<LocalFile[]> {
  const found: LocalFile[] = [];
  const queue = [''];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    signal.throwIfAborted();
    const here: string = at;
    const entries = await readdir(path.join(folder, here), { withFileTypes: true });
    const files = entries.filter(
      (entry) => (entry.isFile() || entry.isSymbolicLink()) && !isAside(entry.name),
    );
    const stats = await Promise.all(
      files.map(({ name }) => stat(path.join(folder, here, name)).catch(() => null)),
    );
    for (const [index, { name }] of files.entries()) {
      const one = stats[index];
      const relative = path.join(here, name);
      if (one?.isFile()) found.push({ path: path.join(folder, relative), relative, size: one.size });
    }
    for (const entry of entries) if (entry.isDirectory()) queue.push(path.join(here, entry.name));
  }
  return found.sort((a, b) => (a.relative < b.relative ? -1 : 1));
}
