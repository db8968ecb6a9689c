import { chunk, parts } from '#adapters/sqlite-logs/block.ts';
import { type Column, valueAt } from '#adapters/sqlite-logs/columns.ts';
import { type BlockRow, type DayBlocks, idAt } from '#adapters/sqlite-logs/day-blocks.ts';
import { Recent } from '#adapters/sqlite-logs/recent.ts';
import { lineFeed } from '#adapters/sqlite-logs/texts.ts';

/** A line as the reading thread hands it over: JSON is parsed by whoever shows it. */
export interface RawLine {
  id: string;
  at: number;
  stored: number;
  weight: number;
  body: string;
  detail: string;
}

/** Lines of a block, for a page that shows several of them: what they share is read and decompressed once. */
export class BlockLines {
  readonly #first: number;
  readonly #times: Uint32Array;
  readonly #stored: Column;
  readonly #weights: Column;
  readonly #ids: Recent<Uint8Array>;
  readonly #bodies: Recent<Buffer | undefined>;
  readonly #details: Recent<Buffer | undefined>;

  constructor(blocks: DayBlocks, block: BlockRow) {
    this.#first = block.first;
    this.#times = blocks.times(block);
    this.#stored = blocks.stored(block);
    this.#weights = blocks.weights(block);
    this.#ids = new Recent((number) => blocks.part(block, parts.ids + number));
    this.#bodies = new Recent((number) => blocks.text(block, parts.body + number));
    this.#details = new Recent((number) => blocks.text(block, parts.detail + number));
  }

  line(line: number, { detail }: { detail: boolean }): RawLine {
    return {
      id: idAt(this.#ids.part(Math.floor(line / chunk.ids)), line % chunk.ids),
      at: this.#first + (this.#times[line] as number),
      stored: valueAt(this.#stored, line) as number,
      weight: valueAt(this.#weights, line) as number,
      body: textAt(this.#bodies.part(Math.floor(line / chunk.body)), line % chunk.body) ?? 'null',
      detail:
        (detail && textAt(this.#details.part(Math.floor(line / chunk.detail)), line % chunk.detail)) || '',
    };
  }
}

function textAt(lines: Buffer | undefined, number: number): string | undefined {
  if (!lines) return undefined;
  let start = 0;
  for (let passed = 0; passed < number; passed++) {
    const feed = lines.indexOf(lineFeed, start);
    if (feed < 0) return undefined;
    start = feed + 1;
  }
  const end = lines.indexOf(lineFeed, start);
  return lines.toString('utf8', start, end < 0 ? lines.length : end);
}
