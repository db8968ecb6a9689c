import { statfs } from 'node:fs/promises';
import { isNearlyFull } from '#core/disk.ts';
import { bytesOfEntry, folderBytes } from '#core/folder-bytes.ts';

const lookMilliseconds = 200;

/** What there was no room for: `folders` took more than they may, or the `disk` has nothing left whoever took it. */
type Full = 'folders' | 'disk';

/**
 * Calls `onFull` once the folders take more than so many bytes together, or the disk is nearly full. The free space of the
 * disk is looked at often, which costs nothing; the folders are counted each time that it has shrunk by a part of what they
 * may take.
 */
export function watchSize(
  folders: readonly string[],
  maxBytes: number,
  onFull: (what: Full) => void,
): Disposable {
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
      for (const folder of folders) size += await folderBytes(folder, maxBytes - size + 1);
      free = left;
      if (size > maxBytes && !isOver) return onFull('folders');
    }
    if (!isOver && (await isNearlyFull(first))) return onFull('disk');
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
  return bavail * bsize + ffree * bytesOfEntry;
}
