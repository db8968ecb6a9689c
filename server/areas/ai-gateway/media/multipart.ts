import { badRequest } from '../json/scan.ts';

/** One part of a form: where it stands, and what it is. */
interface Part {
  name: string;
  /** From its boundary line to the next one. */
  start: number;
  end: number;
  contentStart: number;
  contentEnd: number;
  isFile: boolean;
}

const maxParts = 100;
const maxFieldBytes = 64 * 1024;

/** A form as it came (RFC 7578): fields are read, and what is not edited is sent on byte for byte. */
export class MultipartBody {
  readonly bytes: Buffer;
  readonly #parts: readonly Part[];

  constructor(bytes: Buffer, contentType: string) {
    const boundary = /boundary=(?:"([^"]{1,70})"|([^\s;]{1,70}))/i.exec(contentType);
    const text = boundary?.[1] ?? boundary?.[2];
    if (!text) throw badRequest('The form has no boundary in its content type.');
    this.bytes = bytes;
    this.#parts = partsOf(bytes, text);
    const names = this.#parts.map(({ name }) => name).filter((name) => !name.endsWith('[]'));
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    if (twice !== undefined)
      throw badRequest(`The field "${twice.slice(0, 100)}" is given twice.`, twice.slice(0, 100));
  }

  text(name: string): string | undefined {
    const part = this.#parts.find((one) => one.name === name && !one.isFile);
    if (!part) return undefined;
    if (part.contentEnd - part.contentStart > maxFieldBytes)
      throw badRequest(`The field "${name}" is too long.`, name);
    return this.bytes.toString('utf8', part.contentStart, part.contentEnd);
  }

  /** Bytes of the file with this name; undefined: there is none. */
  fileBytes(name: string): number | undefined {
    const part = this.#parts.find((one) => one.name === name);
    return part && part.contentEnd - part.contentStart;
  }

  /** With other text in a field, or without it where the edit is undefined. Nothing is copied. */
  spliced(edits: ReadonlyMap<string, string | undefined>): Buffer[] {
    const pieces: Buffer[] = [];
    let at = 0;
    for (const part of this.#parts) {
      if (!edits.has(part.name)) continue;
      const text = edits.get(part.name);
      pieces.push(this.bytes.subarray(at, text === undefined ? part.start : part.contentStart));
      if (text !== undefined) pieces.push(Buffer.from(text));
      at = text === undefined ? part.end : part.contentEnd;
    }
    pieces.push(this.bytes.subarray(at));
    return pieces.filter((piece) => piece.length > 0);
  }
}

function partsOf(bytes: Buffer, boundary: string): Part[] {
  const mark = Buffer.from(`--${boundary}`);
  const parts: Part[] = [];
  let start = bytes.indexOf(mark);
  while (start >= 0) {
    if (bytes[start + mark.length] === 0x2d) return parts;
    if (parts.length >= maxParts) throw badRequest(`The form has more than ${maxParts} parts.`);
    const end = bytes.indexOf(Buffer.from(`\r\n--${boundary}`), start + mark.length);
    const headEnd = bytes.indexOf('\r\n\r\n', start);
    if (end < 0 || headEnd < 0 || headEnd > end || headEnd - start > 4096) break;
    const head = bytes.toString('utf8', start + mark.length, headEnd);
    const name = /content-disposition:[^\r\n]*?;\s*name="([^"\r\n]{1,200})"/i.exec(head)?.[1];
    if (name === undefined) throw badRequest('A part of the form has no name.');
    const isFile = /;\s*filename\*?=/i.test(head);
    parts.push({ name, start, end: end + 2, contentStart: headEnd + 4, contentEnd: end, isFile });
    start = end + 2;
  }
  throw badRequest('The form is malformed, or was cut off.');
}
