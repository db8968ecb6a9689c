import { Candidates } from './candidates.ts';
import type { ProtectedName, ProtectedNames } from './protected-names.ts';

const startLength = 4;
const startMask = 0xfffffff;

type Names = Pick<ProtectedNames, 'names' | 'words'>;

/** The protected names, to be found by what a label is, resembles or holds. */
export class NameTable {
  readonly #byLabel = new Map<string, ProtectedName[]>();
  /** By the first four letters of seven bits, as a number. */
  readonly #byStart = new Map<number, ProtectedName[]>();
  readonly #candidates: Candidates;
  /** Labels that are no spelling of another name. */
  readonly words: ReadonlySet<string>;

  private constructor({ names, words }: Names, candidates: Candidates) {
    this.words = words;
    this.#candidates = candidates;
    for (const name of names) {
      push(this.#byLabel, name.label, name);
      if (name.label.length >= startLength) push(this.#byStart, startOf(name.label), name);
    }
  }

  static *building(names: Names): Generator<void, NameTable> {
    const candidates = yield* Candidates.building(names.names.filter(({ label }) => label.length >= 3));
    return new NameTable(names, candidates);
  }

  labelled(label: string): readonly ProtectedName[] {
    return this.#byLabel.get(label) ?? none;
  }

  /** Those that the text may be a spelling of, and some more. */
  near(text: string): readonly ProtectedName[] {
    return this.#candidates.of(text);
  }

  /** Those of four letters and more that the text holds, with where, and something around them. */
  *within(text: string): Generator<{ name: ProtectedName; before: string; after: string }> {
    let start = 0;
    for (let end = 0; end < text.length; end++) {
      start = ((start << 7) | (text.charCodeAt(end) & 127)) & startMask;
      const at = end - startLength + 1;
      const names = at < 0 ? undefined : this.#byStart.get(start);
      if (!names) continue;
      for (const name of names) {
        if (name.label.length === text.length || !text.startsWith(name.label, at)) continue;
        yield { name, before: text.slice(0, at), after: text.slice(at + name.label.length) };
      }
    }
  }
}

const none: readonly ProtectedName[] = [];

function startOf(label: string): number {
  let start = 0;
  for (let i = 0; i < startLength; i++) start = (start << 7) | (label.charCodeAt(i) & 127);
  return start;
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}
