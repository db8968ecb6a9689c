import { closeSync, openSync, readSync } from 'node:fs';

/**
 * A file as the SDK reads one, slice by slice, each read when it is asked for. Slices of `openAsBlob` hold the wrong bytes in
 * Node 20.0. `close` it at the end.
 */
export function openContent(file: string, size: number, type = ''): { content: Blob; close(): void } {
  const descriptor = openSync(file, 'r');
  const slice = (from = 0, to = size): Blob => {
    const bytes = new Uint8Array(Math.max(0, Math.min(to, size) - from));
    let read = 0;
    while (read < bytes.length) {
      const count = readSync(descriptor, bytes, read, bytes.length - read, from + read);
      if (count === 0) throw new Error(`${file} became shorter while it was sent.`);
      read += count;
    }
    return new Blob([bytes], { type });
  };
  return { content: { size, type, slice } as Blob, close: () => closeSync(descriptor) };
}
