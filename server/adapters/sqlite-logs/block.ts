import { zstdCompressSync } from 'node:zlib';
import { type ColumnHead, encodeColumn } from '#adapters/sqlite-logs/columns.ts';
import type { StreamSpec } from '#core/log-streams.ts';
import type { Entry } from '#core/logs/entry.ts';

/**
 * Lines of one scope, up to 16 384 of them in the order of moment and id, by columns: a question reads the columns that
 * it names, and what is shown only of the lines that fit. Every part is a row of `part`, keyed by block and number.
 */
export const blockLines = 16_384;
export const partsPerBlock = 1024;
export const parts = {
  bloom: 64,
  times: 128,
  stored: 129,
  weight: 130,
  ids: 160,
  body: 192,
  detail: 512,
  folders: 704,
};
/** Lines a part. */
export const chunk = { ids: 1024, body: 64, detail: 128 };

export type StoredEntry = Entry & { stored: number };

export interface BlockHead {
  columns: ColumnHead[];
  stored: ColumnHead;
  weight: ColumnHead;
}

export interface Block {
  scope: string;
  first: number;
  last: number;
  idMin: string;
  idMax: string;
  storedMin: number;
  storedMax: number;
  lines: number;
  head: BlockHead;
  parts: [number: number, data: Uint8Array][];
}

/** Of entries that are in order. */
export function encodeBlock(spec: StreamSpec, entries: readonly StoredEntry[]): Block {
  const [firstEntry] = entries;
  const lastEntry = entries.at(-1);
  if (!firstEntry || !lastEntry) throw new Error('A block holds at least one line.');
  const found: Block['parts'] = [];
  const columns = Object.keys(spec.columns).map((_, index) => {
    const { head, data, bloom, folders } = encodeColumn(entries.map(({ values }) => values[index] ?? null));
    if (data) found.push([index, data]);
    if (bloom) found.push([parts.bloom + index, bloom]);
    if (folders) found.push([parts.folders + index, folders]);
    return head;
  });
  const times = Uint32Array.from(entries, ({ at }) => at - firstEntry.at);
  found.push([parts.times, new Uint8Array(times.buffer)]);
  const stored = encodeColumn(entries.map((entry) => entry.stored));
  if (stored.data) found.push([parts.stored, stored.data]);
  const weight = encodeColumn(entries.map((entry) => entry.weight));
  if (weight.data) found.push([parts.weight, weight.data]);

  for (let at = 0, number = parts.ids; at < entries.length; at += chunk.ids, number++)
    found.push([
      number,
      Buffer.from(
        entries
          .slice(at, at + chunk.ids)
          .map(({ id }) => id.replaceAll('-', ''))
          .join(''),
        'hex',
      ),
    ]);
  for (let at = 0, number = parts.body; at < entries.length; at += chunk.body, number++)
    found.push([
      number,
      zstdCompressSync(
        entries
          .slice(at, at + chunk.body)
          .map(({ body }) => body)
          .join('\n'),
      ),
    ]);
  for (let at = 0, number = parts.detail; at < entries.length; at += chunk.detail, number++) {
    const details = entries.slice(at, at + chunk.detail).map(({ detail }) => detail);
    if (details.some((detail) => detail !== '')) found.push([number, zstdCompressSync(details.join('\n'))]);
  }

  let [idMin, idMax] = [firstEntry.id, firstEntry.id];
  let [storedMin, storedMax] = [firstEntry.stored, firstEntry.stored];
  for (const entry of entries) {
    if (entry.id < idMin) idMin = entry.id;
    if (entry.id > idMax) idMax = entry.id;
    if (entry.stored < storedMin) storedMin = entry.stored;
    if (entry.stored > storedMax) storedMax = entry.stored;
  }
  return {
    scope: firstEntry.scope,
    first: firstEntry.at,
    last: lastEntry.at,
    lines: entries.length,
    ...{ idMin, idMax, storedMin, storedMax },
    head: { columns, stored: stored.head, weight: weight.head },
    parts: found,
  };
}
