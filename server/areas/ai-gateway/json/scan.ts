import { isUtf8 } from 'node:buffer';
import { GatewayProblem } from '../problem.ts';

/** A member of the outermost object, by byte offsets: the name with its quotes, and the value without blanks around it. */
export interface Member {
  nameStart: number;
  valueStart: number;
  valueEnd: number;
}

export interface Scanned {
  members: Map<string, Member>;
  /** Just behind the opening brace. */
  inside: number;
  /** Where the closing brace is. */
  end: number;
  /** Bytes in strings that are data (data URLs, base64), which are no text that a model reads as such. */
  dataBytes: number;
  /** How many such strings there are. */
  dataParts: number;
}

const maxDepth = 200;
/** Strings longer than this may be data. */
const dataLength = 256;
const quote = 0x22;
const backslash = 0x5c;

/**
 * Reads JSON text without building it: checks the grammar, refuses a name given twice in one object (which of the two
 * counts differs from parser to parser), and tells where each member of the outermost object stands. One pass over the
 * bytes; long strings are passed over at the speed of `indexOf`.
 */
export function scanObject(body: Buffer): Scanned {
  if (!isUtf8(body)) throw badRequest('The body is not valid UTF-8.');
  return new Scan(body).run();
}

export function badRequest(sentence: string, param?: string): GatewayProblem {
  return new GatewayProblem('invalid_request', sentence, { code: 'invalid_request', param });
}

const literals = [Buffer.from('true'), Buffer.from('false'), Buffer.from('null')];
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

class Scan {
  readonly #body: Buffer;
  readonly #members = new Map<string, Member>();
  #at = 0;
  #dataBytes = 0;
  #dataParts = 0;

  constructor(body: Buffer) {
    this.#body = body;
  }

  run(): Scanned {
    this.#blanks();
    if (this.#body[this.#at] !== 0x7b) throw badRequest('The body is not a JSON object.');
    const inside = this.#at + 1;
    this.#object(0, this.#members);
    const end = this.#at - 1;
    this.#blanks();
    if (this.#at !== this.#body.length) throw this.#wrong();
    return { members: this.#members, inside, end, dataBytes: this.#dataBytes, dataParts: this.#dataParts };
  }

  #wrong(): GatewayProblem {
    return badRequest(`The body is not valid JSON (near byte ${this.#at}).`);
  }

  #blanks(): void {
    const body = this.#body;
    for (;;) {
      const byte = body[this.#at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return;
      this.#at++;
    }
  }

  #value(depth: number, name: string): void {
    const byte = this.#body[this.#at];
    if (byte === quote) this.#string(name);
    else if (byte === 0x7b) this.#object(depth, undefined);
    else if (byte === 0x5b) this.#array(depth);
    else this.#plain();
  }

  #object(depth: number, members: Map<string, Member> | undefined): void {
    if (depth > maxDepth) throw badRequest(`The body is nested deeper than ${maxDepth} levels.`);
    const body = this.#body;
    this.#at++;
    this.#blanks();
    if (body[this.#at] === 0x7d) {
      this.#at++;
      return;
    }
    // Most objects have few names: a short list is faster than a set.
    const names: string[] = [];
    let many: Set<string> | undefined;
    for (;;) {
      if (body[this.#at] !== quote) throw this.#wrong();
      const nameStart = this.#at;
      const name = this.#name();
      const given = many ? many.has(name) : names.includes(name);
      if (given) throw badRequest(`The field "${name.slice(0, 100)}" is given twice.`, name.slice(0, 100));
      if (many) many.add(name);
      else if (names.push(name) > 16) many = new Set(names);
      this.#blanks();
      if (body[this.#at] !== 0x3a) throw this.#wrong();
      this.#at++;
      this.#blanks();
      const valueStart = this.#at;
      this.#value(depth + 1, name);
      members?.set(name, { nameStart, valueStart, valueEnd: this.#at });
      this.#blanks();
      const next = body[this.#at++];
      if (next === 0x7d) return;
      if (next !== 0x2c) throw this.#wrong();
      this.#blanks();
    }
  }

  #array(depth: number): void {
    if (depth > maxDepth) throw badRequest(`The body is nested deeper than ${maxDepth} levels.`);
    const body = this.#body;
    this.#at++;
    this.#blanks();
    if (body[this.#at] === 0x5d) {
      this.#at++;
      return;
    }
    for (;;) {
      this.#value(depth + 1, '');
      this.#blanks();
      const next = body[this.#at++];
      if (next === 0x5d) return;
      if (next !== 0x2c) throw this.#wrong();
      this.#blanks();
    }
  }

  /** A name, as text: two spellings of one name are one name. */
  #name(): string {
    const start = this.#at;
    this.#skipString();
    const raw = this.#body.toString('latin1', start + 1, this.#at - 1);
    if (!/[\\\x80-\xff]/.test(raw)) return raw;
    return this.#parsed(start, this.#at) as string;
  }

  #string(name: string): void {
    const start = this.#at;
    this.#skipString();
    const length = this.#at - start - 2;
    if (length < dataLength) return;
    const isData =
      name === 'data' || name === 'file_data' || name === 'b64_json' || this.#startsWithData(start + 1);
    if (!isData) return;
    this.#dataBytes += length;
    this.#dataParts++;
  }

  #startsWithData(at: number): boolean {
    return this.#body.toString('latin1', at, at + 5) === 'data:';
  }

  /** From the opening quote to behind the closing one. Escapes and control characters are checked. */
  #skipString(): void {
    const body = this.#body;
    const start = this.#at;
    let at = start + 1;
    const near = Math.min(body.length, at + 64);
    let escaped = false;
    for (; at < near; at++) {
      const byte = body[at] as number;
      if (byte === quote) {
        this.#at = at + 1;
        if (escaped) this.#parsed(start, this.#at);
        return;
      }
      if (byte < 0x20) throw this.#wrong();
      if (byte === backslash) {
        escaped = true;
        at++;
      }
    }
    // `at` may stand one behind an escape that crossed the border.
    for (;;) {
      const end = body.indexOf(quote, at);
      if (end < 0) throw this.#wrong();
      let slashes = 0;
      while (body[end - 1 - slashes] === backslash && end - 1 - slashes >= at) slashes++;
      at = end + 1;
      if (slashes % 2 === 1) continue;
      this.#at = at;
      this.#checkLong(start, at);
      return;
    }
  }

  /** Long text is checked by the parser in pieces of what it is, data by a scan for what must not be in it. */
  #checkLong(start: number, end: number): void {
    const long = end - start > 1024 * 1024;
    if (!long) {
      this.#parsed(start, end);
      return;
    }
    if (this.#body.subarray(start, end).includes(0x0a) || this.#body.subarray(start, end).includes(0x00))
      throw this.#wrong();
  }

  #parsed(start: number, end: number): unknown {
    try {
      return JSON.parse(this.#body.toString('utf8', start, end));
    } catch {
      throw this.#wrong();
    }
  }

  #plain(): void {
    const body = this.#body;
    const start = this.#at;
    const byte = body[start];
    if (byte === undefined) throw this.#wrong();
    for (const literal of literals) {
      if (byte !== literal[0]) continue;
      if (
        body.compare(literal, 0, literal.length, start, Math.min(body.length, start + literal.length)) !== 0
      )
        throw this.#wrong();
      this.#at += literal.length;
      return;
    }
    const text = body.toString('latin1', start, Math.min(body.length, start + 400));
    number.lastIndex = 0;
    const match = number.exec(text);
    if (!match) throw this.#wrong();
    this.#at += match[0].length;
  }
}
