import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';

/** What a file takes of the disk besides its blocks: many empty ones are a flood as well. */
export const bytesOfEntry = 1024;

/** What all files in the folder take of the disk. Stops counting at `most`; what goes meanwhile is not counted. */
export async function folderBytes(folder: string, most = Number.POSITIVE_INFINITY): Promise<number> {
  let bytes = 0;
  const queue = [folder];
  for (let at = queue.pop(); at !== undefined && bytes < most; at = queue.pop()) {
    const entries = await readdir(at, { withFileTypes: true }).catch(() => []);
    // So many that what they take themselves is enough: a flood of files is not looked at one by one.
    if (bytes + entries.length * bytesOfEntry >= most) return bytes + entries.length * bytesOfEntry;
    for (const entry of entries) {
      const place = path.join(at, entry.name);
      if (entry.isDirectory()) queue.push(place);
      const found = await lstat(place).catch(() => null);
      bytes += found ? found.blocks * 512 + bytesOfEntry : 0;
      if (bytes >= most) break;
    }
  }
  return bytes;
}
