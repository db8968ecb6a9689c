import path from 'node:path';
import { type Database, open, type RootDatabase } from 'lmdb';
import { OpenLock } from '#adapters/lmdb/open-lock.ts';
import { LazyLru } from '#core/lazy-lru.ts';

/**
 * The tables of the cache in one LMDB file; a transaction spans them all.
 *
 * | table | key | value |
 * | --- | --- | --- |
 * | items | application (16 bytes), key | record (core/cache-record.ts) |
 * | order | application, expiry, version (the first 16 bytes of the record) | bytes that the item counts (uint32), key |
 * | states | application; 16 zeros for all of them together | what they have and did (states.ts) |
 */
export interface Environment {
  root: RootDatabase<Buffer, Buffer>;
  items: Database<Buffer, Buffer>;
  order: Database<Buffer, Buffer>;
  states: Database<Buffer, Buffer>;
}

export function openEnvironment(file: string, mapBytes: number): Environment {
  return OpenLock.whileAlone(path.dirname(file), () => openAlone(file, mapBytes));
}

function openAlone(file: string, mapBytes: number): Environment {
  const binary = { encoding: 'binary', keyEncoding: 'binary' } as const;
  const root = open<Buffer, Buffer>(file, {
    ...binary,
    noSubdir: true,
    // Only address space. The file is as large as it has ever had to be.
    mapSize: mapBytes,
    maxDbs: 3,
    // Every process and its writer thread need one each, and short-lived commands some more.
    maxReaders: 1024,
    // See generation.ts.
    noSync: true,
  });
  return {
    root,
    items: root.openDB('items', binary),
    order: root.openDB('order', binary),
    states: root.openDB('states', binary),
  };
}

export const applicationBytes = 16;

const prefixes = new LazyLru<string, Buffer>({ max: 10_000 });

/** A UUID as the 16 bytes that keys begin with. */
export function applicationPrefix(applicationId: string): Buffer {
  let prefix = prefixes.get(applicationId);
  if (!prefix) {
    prefix = Buffer.from(applicationId.replaceAll('-', ''), 'hex');
    if (prefix.length !== applicationBytes) throw new Error(`"${applicationId}" is not a UUID.`);
    prefixes.set(applicationId, prefix);
  }
  return prefix;
}

/** The UUID that a key begins with. */
export function applicationIdOf(key: Uint8Array): string {
  const hex = Buffer.from(key.buffer, key.byteOffset, applicationBytes).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export function itemKey(applicationId: string, key: string): Buffer {
  const bytes = Buffer.allocUnsafe(applicationBytes + Buffer.byteLength(key));
  bytes.set(applicationPrefix(applicationId));
  bytes.write(key, applicationBytes);
  return bytes;
}

/** No byte of UTF-8: keys that begin with it are the cache's own, and come after all others. */
const hiddenByte = 0xff;

export function hiddenKey(applicationId: string, name: string): Buffer {
  return Buffer.concat([applicationPrefix(applicationId), Buffer.of(hiddenByte), Buffer.from(name)]);
}

export function isHidden(key: Uint8Array): boolean {
  return key[applicationBytes] === hiddenByte;
}

/** Where the keys with this prefix begin and end. */
export function prefixRange(applicationId: string, prefix: string): { start: Buffer; end: Buffer } {
  const start = itemKey(applicationId, prefix);
  return { start, end: Buffer.concat([start, Buffer.of(hiddenByte)]) };
}
