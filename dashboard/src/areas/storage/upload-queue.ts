import { type OpenUpload, uploadObject } from '@mainstay/sdk';
import { useSyncExternalStore } from 'react';
import { api } from '#api/client.ts';
import { sentenceOf } from '#api/errors.ts';
import type { Place } from '#areas/storage/data.ts';
import {
  forgetUpload,
  type RememberedUpload,
  recallUploads,
  rememberSession,
  rememberUpload,
} from '#areas/storage/upload-memory.ts';

/**
 * Files on their way into buckets: a few at a time, over tus, while the page is open, whatever screen it shows. After a
 * reload they are there again, and resume where they stopped when somebody says so.
 */

export interface Upload {
  id: number;
  print: string;
  place: Place;
  key: string;
  name: string;
  size: number;
  lastModified: number;
  /** Undefined: it has to be chosen again. */
  file: File | undefined;
  open: OpenUpload | undefined;
  state: 'waiting' | 'hashing' | 'uploading' | 'paused' | 'completed' | 'failed';
  bytes: number;
  problem?: string;
}

const atOnce = 3;

let uploads: readonly Upload[] = [];
let lastId = 0;
let isRecalled = false;
const controllers = new Map<number, AbortController>();
const watchers = new Set<() => void>();
const finished = new Set<(place: Place) => void>();

function set(next: readonly Upload[]): void {
  uploads = next;
  for (const watcher of watchers) watcher();
}

function change(id: number, next: Partial<Upload>): void {
  set(uploads.map((one) => (one.id === id ? { ...one, ...next } : one)));
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  if (!isRecalled) {
    isRecalled = true;
    void recallUploads().then(recall);
  }
  return () => watchers.delete(watcher);
}

export function useUploads(): readonly Upload[] {
  return useSyncExternalStore(watch, () => uploads);
}

/** Those of the page before this one. */
function recall(found: readonly RememberedUpload[]): void {
  const known = new Set(uploads.map(({ print }) => print));
  const added = found
    .filter(({ print }) => !known.has(print))
    .map(({ file, open, ...rest }): Upload => {
      lastId++;
      return { ...rest, id: lastId, file, open, state: 'paused', bytes: 0 };
    });
  if (added.length > 0) set([...uploads, ...added]);
}

/** Told when an object is there. Returns the function that ends it. */
export function onUploaded(listener: (place: Place) => void): () => void {
  finished.add(listener);
  return () => finished.delete(listener);
}

export function addUploads(place: Place, files: readonly { key: string; file: File }[]): void {
  const prints = new Map<string, Upload>();
  for (const { key, file } of files) {
    const { name, size, lastModified } = file;
    const print = [place.applicationId, place.environment, place.bucket, key, size, lastModified].join('\n');
    // The same file again: it resumes where it stopped.
    const open = uploads.find((one) => one.print === print && one.state !== 'completed')?.open;
    const of = { print, place, key, name, size, lastModified, file, open };
    lastId++;
    prints.set(print, { ...of, id: lastId, state: 'waiting', bytes: 0 });
    rememberUpload(of);
  }
  for (const { id, print } of uploads)
    if (prints.has(print)) controllers.get(id)?.abort(new Error('replaced'));
  set([...uploads.filter(({ print }) => !prints.has(print)), ...prints.values()]);
  startNext();
}

/** Files that were asked for again. Returns how many of them nobody waits for. */
export function giveFiles(files: readonly File[]): number {
  let unknown = 0;
  for (const file of files) {
    const waiting = uploads.filter(
      (one) =>
        !one.file &&
        one.name === file.name &&
        one.size === file.size &&
        one.lastModified === file.lastModified,
    );
    if (waiting.length === 0) unknown++;
    for (const { id } of waiting) change(id, { file, state: 'waiting' });
  }
  startNext();
  return unknown;
}

export function pauseUpload(id: number): void {
  change(id, { state: 'paused' });
  controllers.get(id)?.abort(new Error('paused'));
}

export function resumeUpload(id: number): void {
  change(id, { state: 'waiting' });
  startNext();
}

const isMoving = ({ state }: Upload) => state === 'waiting' || state === 'hashing' || state === 'uploading';

export function pauseAll(): void {
  for (const upload of uploads) if (isMoving(upload)) pauseUpload(upload.id);
}

export function resumeAll(): void {
  const isStopped = ({ file, state }: Upload) => file && (state === 'paused' || state === 'failed');
  set(uploads.map((one) => (isStopped(one) ? { ...one, state: 'waiting' } : one)));
  startNext();
}

/** Out of the list: stops it where it is on its way. */
export function dismissUpload(id: number): void {
  controllers.get(id)?.abort(new Error('dismissed'));
  for (const one of uploads) if (one.id === id) forgetUpload(one.print);
  set(uploads.filter((one) => one.id !== id));
}

export function dismissCompleted(): void {
  set(uploads.filter(({ state }) => state !== 'completed'));
}

function startNext(): void {
  const running = uploads.filter(({ state }) => state === 'hashing' || state === 'uploading').length;
  for (const next of uploads
    .filter(({ state }) => state === 'waiting')
    .slice(0, Math.max(0, atOnce - running)))
    void run(next);
}

async function run({ id, print, place, key, file, open: resume }: Upload): Promise<void> {
  if (!file) return;
  const controller = new AbortController();
  controllers.set(id, controller);
  change(id, { state: 'hashing', bytes: 0 });
  const { applicationId, bucket, environment } = place;
  let shownAt = 0;
  try {
    await uploadObject(api, {
      ...{ applicationId, bucket, environment, key, content: file, signal: controller.signal, resume },
      onOpen: (open) => {
        change(id, { open });
        rememberSession(print, open);
      },
      onProgress: ({ phase, bytes, total }) => {
        const now = performance.now();
        if (controller.signal.aborted || (now - shownAt < 100 && bytes < total)) return;
        shownAt = now;
        change(id, {
          state: phase === 'hash' ? 'hashing' : 'uploading',
          bytes: phase === 'hash' ? 0 : bytes,
        });
      },
    });
    change(id, { state: 'completed', bytes: file.size, file: undefined, open: undefined });
    forgetUpload(print);
    for (const listener of finished) listener(place);
  } catch (error) {
    if (!controller.signal.aborted) change(id, { state: 'failed', problem: sentenceOf(error) });
  } finally {
    if (controllers.get(id) === controller) controllers.delete(id);
    startNext();
  }
}
