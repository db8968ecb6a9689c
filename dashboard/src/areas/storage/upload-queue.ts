import { type OpenUpload, uploadObject } from '@mainstay/sdk';
import { useSyncExternalStore } from 'react';
import { api } from '#api/client.ts';
import { sentenceOf } from '#api/errors.ts';
import type { Place } from '#areas/storage/data.ts';

/**
 * Files on their way into buckets: a few at a time, over tus, while the page is open, whatever screen it shows. What was
 * begun is remembered in this browser: the same file, given again after a reload, goes on where it was.
 */

export interface Upload {
  id: number;
  place: Place;
  key: string;
  file: File;
  state: 'waiting' | 'hashing' | 'uploading' | 'paused' | 'completed' | 'failed';
  bytes: number;
  problem?: string;
}

const atOnce = 3;
const rememberedKey = 'mainstay.uploads';
const rememberedAtMost = 1000;

let uploads: readonly Upload[] = [];
let lastId = 0;
const controllers = new Map<number, AbortController>();
const watchers = new Set<() => void>();
const finished = new Set<(place: Place) => void>();

function change(id: number, next: Partial<Upload>): void {
  uploads = uploads.map((one) => (one.id === id ? { ...one, ...next } : one));
  for (const watcher of watchers) watcher();
}

export function useUploads(): readonly Upload[] {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => uploads,
  );
}

/** Told when an object is there. Returns the function that ends it. */
export function onUploaded(listener: (place: Place) => void): () => void {
  finished.add(listener);
  return () => finished.delete(listener);
}

export function addUploads(place: Place, files: readonly { key: string; file: File }[]): void {
  const added = files.map(({ key, file }): Upload => {
    lastId++;
    return { id: lastId, place, key, file, state: 'waiting', bytes: 0 };
  });
  uploads = [...uploads, ...added];
  for (const watcher of watchers) watcher();
  startNext();
}

export function pauseUpload(id: number): void {
  change(id, { state: 'paused' });
  controllers.get(id)?.abort(new Error('paused'));
}

export function resumeUpload(id: number): void {
  change(id, { state: 'waiting' });
  startNext();
}

/** Out of the list: stops it where it is on its way. */
export function dismissUpload(id: number): void {
  controllers.get(id)?.abort(new Error('dismissed'));
  uploads = uploads.filter((one) => one.id !== id);
  for (const watcher of watchers) watcher();
}

export function dismissCompleted(): void {
  uploads = uploads.filter(({ state }) => state !== 'completed');
  for (const watcher of watchers) watcher();
}

function startNext(): void {
  const running = uploads.filter(({ state }) => state === 'hashing' || state === 'uploading').length;
  for (const next of uploads
    .filter(({ state }) => state === 'waiting')
    .slice(0, Math.max(0, atOnce - running)))
    void run(next);
}

async function run({ id, place, key, file }: Upload): Promise<void> {
  const controller = new AbortController();
  controllers.set(id, controller);
  change(id, { state: 'hashing', bytes: 0 });
  const { applicationId, bucket, environment } = place;
  const print = [applicationId, environment, bucket, key, file.size, file.lastModified].join('\n');
  let shownAt = 0;
  try {
    await uploadObject(api, {
      ...{ applicationId, bucket, environment, key, content: file, signal: controller.signal },
      resume: remembered().get(print),
      onOpen: (open) => remember(print, open),
      onProgress: ({ phase, bytes, total }) => {
        const now = performance.now();
        if (now - shownAt < 100 && bytes < total) return;
        shownAt = now;
        change(id, {
          state: phase === 'hash' ? 'hashing' : 'uploading',
          bytes: phase === 'hash' ? 0 : bytes,
        });
      },
    });
    change(id, { state: 'completed', bytes: file.size });
    remember(print, undefined);
    for (const listener of finished) listener(place);
  } catch (error) {
    if (!controller.signal.aborted) change(id, { state: 'failed', problem: sentenceOf(error) });
  } finally {
    if (controllers.get(id) === controller) controllers.delete(id);
    startNext();
  }
}

function remembered(): Map<string, OpenUpload> {
  try {
    return new Map(JSON.parse(localStorage.getItem(rememberedKey) ?? '[]') as [string, OpenUpload][]);
  } catch {
    return new Map();
  }
}

function remember(print: string, open: OpenUpload | undefined): void {
  const known = remembered();
  known.delete(print);
  if (open) known.set(print, open);
  try {
    localStorage.setItem(rememberedKey, JSON.stringify([...known].slice(-rememberedAtMost)));
  } catch {
    // A browser that keeps nothing: uploads begin anew after a reload.
  }
}
