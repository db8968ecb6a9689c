import { lstat, readdir, statfs } from 'node:fs/promises';
import path from 'node:path';

const lookMilliseconds = 200;
/** What a file takes of the disk besides its blocks: many empty ones are a flood as well. */
const bytesPerFile = 1024;

/**
 * Calls `onFull` once the folders take more than so many bytes together. The free space of the disk is looked at often,
 * which costs nothing; the folders are counted each time that it has shrunk by a part of what they may take.
 */
export function watchSize(folders: readonly string[], maxBytes: number, onFull: () => void): Disposable {
  const step = maxBytes / 8;
  const [first = '/'] = folders;
  let free = Number.POSITIVE_INFINITY;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    const left = await freeBytes(first);
    free = Math.max(left, free === Number.POSITIVE_INFINITY ? left : free);
    if (free - left >= step) {
      let size = 0;
      for (const folder of folders) size += await sizeOf(folder, maxBytes - size + 1);
      free = left;
      if (size > maxBytes && !isOver) return onFull();
    }
    again();
  };
  const again = () => {
    if (isOver) return;
    timer = setTimeout(() => void look().catch(again), lookMilliseconds);
    timer.unref();
  };
  void look().catch(again);
  return {
    [Symbol.dispose]() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize, ffree } = await statfs(folder);
  return bavail * bsize + ffree * bytesPerFile;
}

/** Of all files in it, by the blocks that they take; stops counting at `most`. */
async function sizeOf(folder: string, most: number): Promise<number> {
  let bytes = 0;
  const queue = [folder];
  for (let at = queue.pop(); at !== undefined && bytes < most; at = queue.pop()) {
    const entries = await readdir(at, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const place = path.join(at, entry.name);
      if (entry.isDirectory()) queue.push(place);
      const found = await lstat(place).catch(() => null);
      bytes += found ? found.blocks * 512 + bytesPerFile : 0;
      if (bytes >= most) break;
    }
  }
  return bytes;
}
