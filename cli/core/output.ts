import type { WriteStream } from 'node:tty';
import { fit, pad, visible, width } from './text.ts';

/** Whether what goes there may be coloured (no-color.org, force-color.org). */
export function hasColours(
  stream: { isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
  isOff: boolean,
): boolean {
  if (isOff) return false;
  const { FORCE_COLOR: force, NO_COLOR: none, TERM: term } = env as Record<string, string | undefined>;
  if (none) return false;
  if (force !== undefined) return force !== '0' && force !== 'false';
  return stream.isTTY === true && term !== 'dumb';
}

const codes = {
  bold: [1, 22],
  dim: [2, 22],
  underline: [4, 24],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  cyan: [36, 39],
} as const;
export type Paint = Record<keyof typeof codes, (text: string) => string>;

function paint(isOn: boolean): Paint {
  return Object.fromEntries(
    Object.entries(codes).map(([name, [open, close]]) => [
      name,
      (text: string) => (isOn && text !== '' ? `\x1b[${open}m${text}\x1b[${close}m` : text),
    ]),
  ) as Paint;
}

export interface Column<Row> {
  title: string;
  value(row: Row): string | number | boolean | null | undefined;
  /** How it looks; the text is what is shown of the value. */
  style?(text: string, row: Row): string;
  /** Columns are shortened where the terminal is narrow, these last. */
  isFixed?: boolean;
  alignsRight?: boolean;
}

export interface Streams {
  stdout: Pick<WriteStream, 'write'> & { isTTY?: boolean; columns?: number };
  stderr: Pick<WriteStream, 'write'> & { isTTY?: boolean; columns?: number };
}

/** Results go to stdout, everything else to stderr. */
export class Output {
  readonly isJson: boolean;
  readonly isTerminal: boolean;
  readonly paint: Paint;
  readonly notePaint: Paint;
  readonly #streams: Streams;
  readonly #isQuiet: boolean;

  constructor(
    streams: Streams,
    env: Readonly<Record<string, string | undefined>>,
    options: { json: boolean; quiet: boolean; 'no-color': boolean },
  ) {
    this.#streams = streams;
    this.#isQuiet = options.quiet;
    this.isJson = options.json;
    this.isTerminal = streams.stdout.isTTY === true;
    this.paint = paint(hasColours(streams.stdout, env, options['no-color']));
    this.notePaint = paint(hasColours(streams.stderr, env, options['no-color']));
  }

  get columns(): number {
    return this.#streams.stdout.columns || 80;
  }

  line(text = ''): void {
    this.#streams.stdout.write(`${text}\n`);
  }

  raw(text: string | Uint8Array): void {
    this.#streams.stdout.write(text);
  }

  /** For people alone: what is continuing. */
  note(text: string): void {
    if (!this.#isQuiet && !this.isJson) this.#streams.stderr.write(`${text}\n`);
  }

  success(text: string): void {
    this.note(`${this.notePaint.green('✓')} ${text}`);
  }

  warn(text: string): void {
    if (this.isJson) this.#streams.stderr.write(`${JSON.stringify({ warning: text })}\n`);
    else this.#streams.stderr.write(`${this.notePaint.yellow('!')} ${text}\n`);
  }

  /** The result of a command: JSON where that is asked for, else what `show` prints. */
  result(value: unknown, show: () => void): void {
    if (this.isJson) this.line(JSON.stringify(value, null, this.isTerminal ? 2 : undefined));
    else show();
  }

  /** One of a stream of results: an object a line, else what `show` prints. */
  event(value: unknown, show: () => void): void {
    if (this.isJson) this.line(JSON.stringify(value));
    else show();
  }

  /** On a terminal a table that fits, elsewhere tabs between the values, without a header. */
  table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): void {
    const cells = rows.map((row) => columns.map(({ value }) => visible(String(value(row) ?? '–'))));
    if (!this.isTerminal) {
      for (const line of cells) this.line(line.join('\t'));
      return;
    }
    const wanted = columns.map(({ title }, at) =>
      cells.reduce((most, line) => Math.max(most, width(line[at] ?? '')), width(title)),
    );
    const widths = shrink(wanted, columns, this.columns);
    const write = (line: readonly string[], style: (text: string, at: number) => string) => {
      const parts = line.map((cell, at) => {
        const columns_ = widths[at] ?? 0;
        const text = fit(cell, columns_);
        const padded = columns[at]?.alignsRight ? text.padStart(columns_) : pad(text, columns_);
        // Blanks are not coloured, and none end a line.
        return padded.replace(text, () => style(text, at));
      });
      this.line(parts.join('  ').trimEnd());
    };
    write(
      columns.map(({ title }) => title.toUpperCase()),
      (text) => this.paint.dim(text),
    );
    for (const [index, line] of cells.entries())
      write(line, (text, at) => columns[at]?.style?.(text, rows[index] as Row) ?? text);
  }

  /** Names and values beneath each other. */
  fields(pairs: readonly (readonly [name: string, value: string | number | null | undefined])[]): void {
    const shown = pairs.filter(([, value]) => value !== undefined && value !== null && value !== '');
    const widest = Math.max(...shown.map(([name]) => width(name)), 0);
    for (const [name, value] of shown)
      this.line(
        this.isTerminal
          ? `${this.paint.dim(pad(name, widest))}  ${visible(String(value))}`
          : `${name}\t${visible(String(value))}`,
      );
  }
}

const gap = 2;
const narrowest = 6;

function shrink(
  wanted: readonly number[],
  columns: readonly { isFixed?: boolean }[],
  room: number,
): number[] {
  const widths = [...wanted];
  const total = () => widths.reduce((sum, one) => sum + one, 0) + gap * (widths.length - 1);
  for (const fixed of [false, true])
    while (total() > room) {
      const candidates = widths
        .map((one, at) => ({ one, at }))
        .filter(({ one, at }) => one > narrowest && (columns[at]?.isFixed ?? false) === fixed);
      const widest = candidates.sort((a, b) => b.one - a.one)[0];
      if (!widest) break;
      widths[widest.at] = widest.one - 1;
    }
  return widths;
}
