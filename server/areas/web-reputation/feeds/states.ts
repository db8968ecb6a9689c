import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Refusals } from './admission.ts';
import type { Feed } from './declaration.ts';

/** How a feed fares. Times are milliseconds; null: never yet. */
export interface FeedState {
  readonly names: number;
  readonly refused: Refusals | null;
  /** When it was last tried. */
  readonly checkedAt: number | null;
  /** When its source last confirmed what is held. */
  readonly fetchedAt: number | null;
  /** When its names last changed. */
  readonly changedAt: number | null;
  /** Why the last try failed, if it did. */
  readonly error: string | null;
}

const fileOf = (folder: string) => path.join(folder, 'feeds.json');

export async function readStates(folder: string): Promise<Map<string, FeedState>> {
  try {
    return new Map(
      Object.entries(JSON.parse(await readFile(fileOf(folder), 'utf8')) as Record<string, FeedState>),
    );
  } catch {
    // None yet, or cut short by a full disk: everything is tried again.
    return new Map();
  }
}

export async function writeStates(folder: string, states: ReadonlyMap<string, FeedState>): Promise<void> {
  const aside = `${fileOf(folder)}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  await writeFile(aside, JSON.stringify(Object.fromEntries(states), null, 1), { mode: 0o600, flush: true });
  await rename(aside, fileOf(folder));
}

const retrySeconds = 1800;

/** Whether a feed should be fetched now. What failed is tried again sooner, but never often. Local ones never are. */
export function isDue({ source }: Feed, state: FeedState | undefined, now: number): boolean {
  if (source.kind !== 'url') return false;
  if (!state || state.checkedAt === null) return true;
  const wait = state.error === null ? source.refreshSeconds : Math.min(source.refreshSeconds, retrySeconds);
  return now - state.checkedAt >= wait * 1000;
}
