import { type BlockLine, chunk, parts } from '#adapters/sqlite-logs/block.ts';
import { type Column, valueAt } from '#adapters/sqlite-logs/columns.ts';
import type { BlockRow, DayBlocks } from '#adapters/sqlite-logs/day-blocks.ts';
import { Recent } from '#adapters/sqlite-logs/recent.ts';
import { lineFeed, type Text, textOf } from '#adapters/sqlite-logs/texts.ts';
import type { Value } from '#core/logs/predicate.ts';

interface MergedLine {
  line: BlockLine;
  columnValue: (column: number) => Value;
}

/** The lines of blocks in the order of moment and id, without those that newer ones have replaced. */
export function* mergedLines(blocks: DayBlocks, rows: readonly BlockRow[]): Generator<MergedLine> {
  const places = rows.flatMap((row) => {
    const source = new Source(blocks, row);
    const gone = new Set(row.gone);
    const all = Array.from(source.times, (time, line) => ({ source, line, at: row.first + time }));
    return gone.size > 0 ? all.filter(({ line }) => !gone.has(line)) : all;
  });
  places.sort((a, b) => {
    if (a.at !== b.at) return a.at - b.at;
    if (a.source === b.source) return a.line - b.line;
    return a.source.id(a.line) < b.source.id(b.line) ? -1 : 1;
  });
  for (const { source, line, at } of places)
    yield { line: source.line(line, at), columnValue: (column) => source.value(column, line) };
}

/** A block that is read from its first line to its last one. */
class Source {
  readonly times: Uint32Array;
  readonly #columns: Column[];
  readonly #stored: Column;
  readonly #weights: Column;
  readonly #ids: Recent<readonly string[]>;
  readonly #bodies: Recent<readonly Text[]>;
  readonly #details: Recent<readonly Text[]>;

  constructor(blocks: DayBlocks, row: BlockRow) {
    this.times = blocks.times(row);
    this.#columns = row.head.columns.map((_, index) => blocks.column(row, index));
    this.#stored = blocks.stored(row);
    this.#weights = blocks.weights(row);
    this.#bodies = new Recent((number) => split(blocks.text(row, parts.body + number)));
    this.#details = new Recent((number) => split(blocks.text(row, parts.detail + number)));
    this.#ids = new Recent((number) => blocks.ids(row, number));
  }

  id(line: number): string {
    return this.#ids.part(Math.floor(line / chunk.ids))[line % chunk.ids] as string;
  }

  line(line: number, at: number): BlockLine {
    return {
      id: this.id(line),
      at,
      stored: valueAt(this.#stored, line) as number,
      weight: valueAt(this.#weights, line) as number,
      body: this.#bodies.part(Math.floor(line / chunk.body))[line % chunk.body] ?? noText,
      detail: this.#details.part(Math.floor(line / chunk.detail))[line % chunk.detail] ?? noText,
    };
  }

  value(column: number, line: number): Value {
    return valueAt(this.#columns[column] as Column, line);
  }
}

const noText = textOf('');

function split(bytes: Buffer | undefined): Text[] {
  const found: Text[] = [];
  if (!bytes) return found;
  const texts = { bytes };
  for (let start = 0; start <= bytes.length; ) {
    const feed = bytes.indexOf(lineFeed, start);
    const end = feed < 0 ? bytes.length : feed;
    found.push({ texts, start, end });
    start = end + 1;
  }
  return found;
}
