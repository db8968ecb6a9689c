import type { CacheEntry, CacheItem } from '#core/cache.ts';

/**
 * How engines keep an item: numbers in network byte order, then the value as JSON text. The first 16 bytes, taken as a
 * whole, sort by expiry and then by age: the order in which items leave.
 *
 * | bytes | |
 * | --- | --- |
 * | 0-7 | `expiresAt`, float64 |
 * | 8-15 | `version`, float64 |
 * | 16-23 | `expiration`, float64 |
 * | 24-27 | `byteSize`, uint32 |
 * | 28- | `json` |
 */
export const recordHeaderBytes = 28;
export const recordOrderBytes = 16;

export function encodeRecord(entry: CacheEntry, json: string): Buffer {
  const jsonBytes = Buffer.byteLength(json);
  const record = Buffer.allocUnsafe(recordHeaderBytes + jsonBytes);
  record.writeDoubleBE(entry.expiresAt, 0);
  record.writeDoubleBE(entry.version, 8);
  record.writeDoubleBE(entry.expiration, 16);
  record.writeUInt32BE(entry.byteSize, 24);
  record.write(json, recordHeaderBytes);
  return record;
}

export function decodeEntry(record: Buffer): CacheEntry {
  return {
    expiresAt: record.readDoubleBE(0),
    version: record.readDoubleBE(8),
    expiration: record.readDoubleBE(16),
    byteSize: record.readUInt32BE(24),
  };
}

/** The bytes of `record` stay in use. */
export function decodeItem(record: Buffer, length: number = record.length): CacheItem {
  return {
    expiresAt: record.readDoubleBE(0),
    version: record.readDoubleBE(8),
    expiration: record.readDoubleBE(16),
    byteSize: record.readUInt32BE(24),
    json: record.subarray(recordHeaderBytes, length),
  };
}

/**
 * Versions count up from the time, in 2048ths of a millisecond: they say when an item was written, and an application
 * whose counts were lost does not repeat the versions that it gave out before. Exact until the year 2109.
 */
export function nextVersion(last: number, now: number): number {
  return Math.max(last + 1, now * 2048);
}
