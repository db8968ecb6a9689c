import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { zstdDecompressSync } from 'node:zlib';
import { type BlockHead, chunk, indexOfId, parts, partsPerBlock } from '#adapters/sqlite-logs/block.ts';
import { type Column, type ColumnHead, decodeColumn } from '#adapters/sqlite-logs/columns.ts';
import type { HeadCache } from '#adapters/sqlite-logs/head-cache.ts';

export interface BlockRow {
  id: number;
  scope: string;
  first: number;
  last: number;
  storedMin: number;
  storedMax: number;
  lines: number;
  head: BlockHead;
  /** Lines that newer ones have replaced. */
  gone: readonly number[];
}

/** Blocks of a day's file, and their parts. */
export class DayBlocks {
  readonly #database: DatabaseSync;
  readonly #file: string;
  readonly #heads: HeadCache;
  readonly #statements = new Map<string, StatementSync>();

  /** `file` tells the day's file from others in the cache, and from another of the same name. */
  constructor(database: DatabaseSync, { file, heads }: { file: string; heads: HeadCache }) {
    this.#database = database;
    this.#file = file;
    this.#heads = heads;
  }

  close(): void {
    this.#statements.clear();
  }

  list(
    scope: string,
    { from, to, storedFrom = 0 }: { from: number; to: number; storedFrom?: number },
  ): BlockRow[] {
    return this.#rows(
      'scope = ? and last >= ? and first <= ? and stored_max >= ?',
      scope,
      from,
      to,
      storedFrom,
    );
  }

  /** In the order of storing; with the units of each. */
  batches(scope: string): { block: BlockRow; units: number }[] {
    const sql = 'select block, units from batch where scope = ?';
    const rows = this.statement(sql).all(scope) as { block: number; units: number }[];
    const units = new Map(rows.map((row) => [row.block, row.units]));
    const blocks = this.#rows('id in (select block from batch where scope = ?) order by id', scope);
    return blocks.map((block) => ({ block, units: units.get(block.id) as number }));
  }

  #rows(where: string, ...values: (string | number)[]): BlockRow[] {
    const sql = `select id, scope, first, last, stored_min, stored_max, lines,
      (select group_concat(line) from gone where gone.block = block.id) as gone from block where ${where}`;
    const rows = this.statement(sql).all(...values) as Record<string, unknown>[];
    return rows.map((row) => {
      const id = row['id'] as number;
      const scope = row['scope'] as string;
      const storedMin = row['stored_min'] as number;
      return {
        id,
        scope,
        first: row['first'] as number,
        last: row['last'] as number,
        storedMin,
        storedMax: row['stored_max'] as number,
        lines: row['lines'] as number,
        head: this.#head({ id, scope, storedMin }),
        gone: row['gone'] === null ? [] : String(row['gone']).split(',').map(Number),
      };
    });
  }

  #head(block: Pick<BlockRow, 'id' | 'scope' | 'storedMin'>): BlockHead {
    return this.#heads.head(this.#name(block), () => {
      const row = this.statement('select head from block where id = ?').get(block.id) as { head: string };
      return row.head;
    });
  }

  /** The Bloom filter of a column of many values. */
  bloom(block: BlockRow, index: number): Uint8Array {
    return this.#heads.bloom(`${this.#name(block)} ${index}`, () => this.part(block, parts.bloom + index));
  }

  /** The number of a block that was purged may come again, but never for the same scope with lines of that age. */
  #name({ id, scope, storedMin }: Pick<BlockRow, 'id' | 'scope' | 'storedMin'>): string {
    return `${this.#file} ${id} ${scope} ${storedMin}`;
  }

  column(block: BlockRow, index: number): Column {
    return decodeColumn(block.head.columns[index] as ColumnHead, block.lines, () => this.part(block, index));
  }

  weights(block: BlockRow): Column {
    return decodeColumn(block.head.weight, block.lines, () => this.part(block, parts.weight));
  }

  stored(block: BlockRow): Column {
    return decodeColumn(block.head.stored, block.lines, () => this.part(block, parts.stored));
  }

  /** Moments of the lines, as milliseconds after the block's first. */
  times(block: BlockRow): Uint32Array {
    const data = this.part(block, parts.times);
    return new Uint32Array(data.buffer, data.byteOffset, block.lines);
  }

  idAt(block: BlockRow, line: number): string {
    const ids = this.part(block, parts.ids + Math.floor(line / chunk.ids));
    return idAt(ids, line % chunk.ids);
  }

  /** Of 1 024 lines that follow each other. */
  ids(block: BlockRow, number: number): string[] {
    const ids = this.part(block, parts.ids + number);
    const hex = Buffer.from(ids.buffer, ids.byteOffset, ids.byteLength).toString('hex');
    return Array.from({ length: ids.byteLength / 16 }, (_, at) => idOf(hex.slice(at * 32, at * 32 + 32)));
  }

  /** Of lines that follow each other, with line feeds between them; undefined: they are all empty. */
  text(block: BlockRow, number: number): Buffer | undefined {
    const sql = 'select data from part where key = ?';
    const row = this.statement(sql).get(block.id * partsPerBlock + number) as
      | { data: Uint8Array }
      | undefined;
    if (!row) return undefined;
    const { buffer, byteOffset, byteLength } = row.data;
    return block.head.plain ? Buffer.from(buffer, byteOffset, byteLength) : zstdDecompressSync(row.data);
  }

  /** Where the line of that id is: by the ids, since nothing else says when it was. */
  find(scope: string, id: string): { block: BlockRow; line: number } | undefined {
    const wanted = Buffer.from(id.replaceAll('-', ''), 'hex');
    const rows = this.statement(
      'select id, first from block where scope = ? and id_min <= ? and id_max >= ? order by last desc',
    ).all(scope, id, id) as { id: number; first: number }[];
    for (const { id: blockId, first } of rows) {
      const start = blockId * partsPerBlock + parts.ids;
      const found = this.statement('select key, data from part where key >= ? and key < ? order by key').all(
        ...[start, start + 32],
      ) as { key: number; data: Uint8Array }[];
      for (const { key, data } of found) {
        const at = indexOfId(Buffer.from(data.buffer, data.byteOffset, data.byteLength), wanted);
        if (at < 0) continue;
        const block = this.list(scope, { from: first, to: first }).find((one) => one.id === blockId);
        const line = (key - start) * chunk.ids + at;
        if (block && !block.gone.includes(line)) return { block, line };
      }
    }
    return undefined;
  }

  part({ id }: BlockRow, number: number): Uint8Array {
    const row = this.statement('select data from part where key = ?').get(id * partsPerBlock + number) as
      | { data: Uint8Array }
      | undefined;
    if (!row) throw new MissingPart(`Part ${number} of block ${id} is missing.`);
    return row.data;
  }

  /** Prepared once. */
  statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

export function idAt(ids: Uint8Array, line: number): string {
  return idOf(Buffer.from(ids.buffer, ids.byteOffset + line * 16, 16).toString('hex'));
}

function idOf(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The block was merged into another one meanwhile, or its scope purged. */
export class MissingPart extends Error {
  override name = 'MissingPart';
}
