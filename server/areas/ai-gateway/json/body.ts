import { badRequest, type Member, type Scanned, scanObject } from './scan.ts';

/** Content types that are read as JSON. */
export const jsonType = /^application\/(?:[\w.+-]+\+)?json\b/i;

/** An edit of an outermost member: a value to set (made at the end when absent), or undefined to remove it. */
export type Edits = ReadonlyMap<string, string | undefined>;

// biome-ignore lint/suspicious/noExplicitAny: bodies of foreign protocols; each reader looks at what it needs.
export type Json = any;

/**
 * A JSON object as it came: what is not edited is sent on byte for byte, because key order, spacing and the spelling of
 * numbers decide whether a provider's prompt cache is hit.
 */
export class JsonBody {
  readonly bytes: Buffer;
  readonly #scanned: Scanned;
  readonly #values = new Map<string, unknown>();
  #whole: Json;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.#scanned = scanObject(bytes);
  }

  has(name: string): boolean {
    return this.#scanned.members.has(name);
  }

  /** The value of an outermost member, parsed when first asked for; undefined when absent. */
  get(name: string): Json {
    const member = this.#scanned.members.get(name);
    if (!member) return undefined;
    if (!this.#values.has(name)) {
      const text = this.bytes.toString('utf8', member.valueStart, member.valueEnd);
      this.#values.set(name, JSON.parse(text));
    }
    return this.#values.get(name);
  }

  /** A string; absent, or null: undefined. */
  text(name: string): string | undefined {
    const value = this.get(name);
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'string') throw badRequest(`The field "${name}" must be a string.`, name);
    return value;
  }

  /** A whole number in that range; absent, or null: undefined. */
  whole(name: string, min: number, max: number): number | undefined {
    const value = this.get(name);
    if (value === undefined || value === null) return undefined;
    if (!Number.isInteger(value) || value < min || value > max)
      throw badRequest(`The field "${name}" must be a whole number from ${min} to ${max}.`, name);
    return value as number;
  }

  truth(name: string): boolean {
    const value = this.get(name);
    if (value === undefined || value === null) return false;
    if (typeof value !== 'boolean') throw badRequest(`The field "${name}" must be true or false.`, name);
    return value;
  }

  names(): IterableIterator<string> {
    return this.#scanned.members.keys();
  }

  /** All of it, for protocols that have to be translated. */
  parsed(): Json {
    this.#whole ??= JSON.parse(this.bytes.toString('utf8'));
    return this.#whole;
  }

  /** Whether the bytes hold this string as a whole JSON string. Text that quotes it is escaped and does not count. */
  mentions(name: string): boolean {
    return this.bytes.includes(`"${name}"`);
  }

  get dataBytes(): number {
    return this.#scanned.dataBytes;
  }

  get dataParts(): number {
    return this.#scanned.dataParts;
  }

  /** The body with its edits, as pieces of the original and what stands between them. Nothing is copied. */
  spliced(edits: Edits): Buffer[] {
    const { members, inside, end } = this.#scanned;
    const cuts: { start: number; end: number; text: string }[] = [];
    const names = [...members.keys()];
    const isKept = (name: string) => !edits.has(name) || edits.get(name) !== undefined;
    const lastKept = names.findLastIndex(isKept);
    for (const [at, name] of names.entries()) {
      if (!edits.has(name)) continue;
      const member = members.get(name) as Member;
      const text = edits.get(name);
      if (text !== undefined) {
        cuts.push({ start: member.valueStart, end: member.valueEnd, text });
        continue;
      }
      // A removed member takes the comma behind it along; the last ones, that before them.
      const next = names[at + 1];
      if (next !== undefined && lastKept > at)
        cuts.push({ start: member.nameStart, end: (members.get(next) as Member).nameStart, text: '' });
      else {
        const before = names[at - 1];
        const start = before === undefined ? member.nameStart : (members.get(before) as Member).valueEnd;
        const wasCut = cuts.at(-1);
        cuts.push({ start: Math.max(start, wasCut?.end ?? inside), end: member.valueEnd, text: '' });
      }
    }
    const added = [...edits].filter(([name, text]) => text !== undefined && !members.has(name));
    if (added.length > 0) {
      const text = added.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',');
      const last = names.at(-1);
      const at = lastKept >= 0 && last !== undefined ? (members.get(last) as Member).valueEnd : end;
      const place = Math.max(at, cuts.at(-1)?.end ?? 0);
      cuts.push({ start: place, end: place, text: lastKept >= 0 ? `,${text}` : text });
    }
    const pieces: Buffer[] = [];
    let at = 0;
    for (const cut of cuts) {
      if (cut.start > at) pieces.push(this.bytes.subarray(at, cut.start));
      if (cut.text !== '') pieces.push(Buffer.from(cut.text));
      at = cut.end;
    }
    pieces.push(this.bytes.subarray(at));
    return pieces;
  }
}
