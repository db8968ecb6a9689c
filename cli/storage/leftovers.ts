import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { readJson } from '../core/files.ts';
import type { DownloadNote } from './download.ts';

/** A transfer that nobody has gone on with for so long is given up: the instance has forgotten an upload long before. */
const keptMilliseconds = 7 * 24 * 3600 * 1000;
/** Of each kind; the oldest go first. */
const maxNotes = 1000;

/** Where what has arrived of an object lies beside its target. Named after its version: another one begins anew. */
export function asideOf(target: string, objectId: string): string {
  return path.join(path.dirname(target), `.${path.basename(target)}.${objectId.slice(-12)}.part`);
}

/** Whether a file of this name is half a download. */
export function isAside(name: string): boolean {
  return /^\..+\.[0-9a-f]{12}\.part$/s.test(name);
}

/** Removes what transfers left behind that were broken off and never gone on with. */
export async function removeLeftovers(state: string, now = Date.now()): Promise<void> {
  for (const kind of ['uploads', 'downloads']) {
    const folder = path.join(state, kind);
    const notes: { file: string; at: number }[] = [];
    for (const name of await readdir(folder).catch(() => [])) {
      const file = path.join(folder, name);
      const at = await timeOf(file);
      if (at !== undefined) notes.push({ file, at });
    }
    notes.sort((one, other) => other.at - one.at);
    for (const [index, { file, at }] of notes.entries())
      if (index >= maxNotes || now - at > keptMilliseconds) await forget(file, now);
  }
}

async function forget(note: string, now: number): Promise<void> {
  const aside = (await readJson<Partial<DownloadNote>>(note).catch(() => undefined))?.file;
  if (typeof aside === 'string' && isAside(path.basename(aside))) {
    const at = await timeOf(aside);
    if (at !== undefined && now - at > keptMilliseconds) await rm(aside, { force: true });
  }
  await rm(note, { force: true });
}

/** Of the last change; undefined where there is no such file. */
async function timeOf(file: string): Promise<number | undefined> {
  return (await stat(file).catch(() => undefined))?.mtimeMs;
}
