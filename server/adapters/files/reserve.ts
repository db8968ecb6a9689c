import { randomBytes } from 'node:crypto';
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Space that is kept for the day on which the disk is full: SQLite needs some to open a database at all, for the memory
 * that its processes share. Random bytes, since file systems that compress would keep nothing of zeros.
 */
const reserveBytes = 1024 * 1024;

function fileOf(folder: string): string {
  return path.join(folder, 'reserve');
}

/** Makes the reserve where it is missing and there is room. */
export function keepReserve(folder: string): void {
  const file = fileOf(folder);
  if (statSync(file, { throwIfNoEntry: false })?.size === reserveBytes) return;
  const aside = `${file}.${process.pid}`;
  try {
    writeFileSync(aside, randomBytes(reserveBytes), { mode: 0o600 });
    renameSync(aside, file);
  } catch {
    // No room now; the next start tries again.
    rmSync(aside, { force: true });
  }
}

/** Gives the space back to the disk; false when there is no reserve. */
export function spendReserve(folder: string): boolean {
  const file = fileOf(folder);
  if (!statSync(file, { throwIfNoEntry: false })) return false;
  rmSync(file, { force: true });
  return true;
}
