import type { Draft } from '../draft.ts';
import type { FinishOptions } from '../finish.ts';
import { type Line, relabelled } from '../lines.ts';

/**
 * What one registry's format asks for beyond the general reader. Everything is optional; a family is as small as the
 * difference is.
 */
export interface Family extends FinishOptions {
  /** The top-level domains of the registry; a family without them is recognised by its text. */
  readonly tlds?: readonly string[];
  /** Whether the answer is in this format. Without it every answer for the TLDs is. */
  speaks?(raw: string): boolean;
  /** Rewrites lines before they are read. */
  prepare?(lines: Line[]): Line[];
  /** Corrects what was read, with the lines at hand. */
  correct?(draft: Draft, lines: readonly Line[]): void;
}

/** The values of a label, in order. */
export function valuesOf(lines: readonly Line[], label: string): string[] {
  return lines.filter((line) => line.label?.toLowerCase() === label).map((line) => line.value);
}

/** Renames labels, which are compared in lower case. */
export function renamed(lines: readonly Line[], names: Readonly<Record<string, string>>): Line[] {
  // A label may be `constructor`, or whatever else an object has by itself.
  const known = new Map(Object.entries(names));
  return lines.map((line) => {
    const name = line.label === null ? undefined : known.get(line.label.toLowerCase());
    return name === undefined ? line : relabelled(line, name);
  });
}
