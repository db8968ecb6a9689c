import type { OpenUpload } from '@mainstay/sdk';
import type { Place } from '#areas/storage/data.ts';

/**
 * Uploads that are not over, kept in this browser (IndexedDB), so that they continue after a reload. Small files are kept
 * with them; for the others a browser has nothing but a handle that ends with the page, so they are asked for again.
 */

export interface RememberedUpload {
  /** Tells it from others: the same file on its way to the same key has the same. */
  print: string;
  place: Place;
  key: string;
  name: string;
  size: number;
  lastModified: number;
  /** Its session, once there is one. */
  open?: OpenUpload | undefined;
  file?: File | undefined;
}

const keptFileBytes = 16 * 1024 * 1024;
const keptBytes = 256 * 1024 * 1024;
const store = 'uploads';
/** Held by the page that has the upload in its list. */
const lockName = (print: string) => `mainstay.upload ${print}`;

let kept = 0;
let database: Promise<IDBDatabase> | undefined;

function opened(): Promise<IDBDatabase> {
  database ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('mainstay-storage', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(store, { keyPath: 'print' });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return database;
}

/** What a browser keeps nothing of begins anew after a reload. */
async function change(work: (uploads: IDBObjectStore) => void): Promise<void> {
  try {
    const transaction = (await opened()).transaction(store, 'readwrite');
    work(transaction.objectStore(store));
  } catch {
    // A private window, or no room.
  }
}

export function rememberUpload(upload: RememberedUpload & { file: File }): void {
  const { file, ...rest } = upload;
  const isKept = file.size <= keptFileBytes && kept + file.size <= keptBytes;
  if (isKept) kept += file.size;
  void change((uploads) => uploads.put(isKept ? upload : rest));
  const released = new Promise<void>((resolve) => releases.set(upload.print, resolve));
  void globalThis.navigator.locks?.request(lockName(upload.print), () => released);
}

const releases = new Map<string, () => void>();

export function rememberSession(print: string, open: OpenUpload): void {
  void change((uploads) => {
    const request = uploads.get(print);
    request.onsuccess = () => {
      if (request.result) uploads.put({ ...(request.result as RememberedUpload), open });
    };
  });
}

export function forgetUpload(print: string): void {
  releases.get(print)?.();
  releases.delete(print);
  void change((uploads) => uploads.delete(print));
}

/** Those that no page has in its list. */
export async function recallUploads(): Promise<RememberedUpload[]> {
  try {
    const uploads = (await opened()).transaction(store).objectStore(store);
    const found = await new Promise<RememberedUpload[]>((resolve, reject) => {
      const request = uploads.getAll();
      request.onsuccess = () => resolve(request.result as RememberedUpload[]);
      request.onerror = () => reject(request.error);
    });
    const locks = await globalThis.navigator.locks?.query();
    const held = new Set(locks?.held?.map(({ name }) => name));
    return found.filter(({ print }) => !held.has(lockName(print)));
  } catch {
    return [];
  }
}
