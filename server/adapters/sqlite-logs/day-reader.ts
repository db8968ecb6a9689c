import { DatabaseSync } from 'node:sqlite';
import { BlockLines, type RawLine } from '#adapters/sqlite-logs/block-lines.ts';
import { type BlockRow, DayBlocks } from '#adapters/sqlite-logs/day-blocks.ts';
import type { HeadCache } from '#adapters/sqlite-logs/head-cache.ts';
import { versionOf } from '#adapters/sqlite-logs/schema.ts';
import type { RollupRecord } from '#core/logs/steps.ts';

/** The reading end of a day's file. */
export class DayReader {
  readonly #database: DatabaseSync;
  readonly blocks: DayBlocks;

  /** `inode` tells the file from one that takes its name when it is set aside. */
  constructor(file: string, { inode, heads }: { inode: number; heads: HeadCache }) {
    this.#database = new DatabaseSync(file, { timeout: 5000 });
    this.#database.exec('pragma query_only = on; pragma mmap_size = 1073741824; pragma cache_size = -4000;');
    this.blocks = new DayBlocks(this.#database, { file: `${file} ${inode}`, heads });
  }

  close(): void {
    this.blocks.close();
    this.#database.close();
  }

  /** What there is of a scope in a range, as of one moment. Later steps read parts of these blocks, which do not change. */
  open(scope: string, range: { from: number; to: number; storedFrom?: number }): BlockRow[] {
    return this.#isMade() ? this.blocks.list(scope, range) : [];
  }

  #isMade(): boolean {
    return versionOf(this.#database) > 0;
  }

  /** The line of that id; it is found by the ids, since nothing else says where it is. */
  find(scope: string, id: string): RawLine | null {
    if (!this.#isMade()) return null;
    const found = this.blocks.find(scope, id);
    return found ? this.lines(found.block).line(found.line, { detail: true }) : null;
  }

  lines(block: BlockRow): BlockLines {
    return new BlockLines(this.blocks, block);
  }

  rollups(scope: string, step: number, from: number, to: number): { at: number; record: RollupRecord }[] {
    if (!this.#isMade()) return [];
    const sql = 'select at, data from rollup where scope = ? and step = ? and at >= ? and at <= ?';
    const rows = this.blocks.statement(sql).all(scope, step, from, to) as { at: number; data: string }[];
    return rows.map(({ at, data }) => ({ at, record: JSON.parse(data) as RollupRecord }));
  }

  /** When something was last stored; 0: never. */
  lastStored(): number {
    if (!this.#isMade()) return 0;
    const row = this.blocks.statement("select value from meta where name = 'stored'").get() as
      | { value: number }
      | undefined;
    return row?.value ?? 0;
  }
}
