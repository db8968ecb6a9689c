import { S3Error } from '../errors.ts';

/**
 * The little of XML that S3's clients send: elements, attributes, text, CDATA, the five entities and character references.
 * Declarations of types are refused, so there is nothing to expand and nothing to fetch. The work is linear in the text.
 */

export interface XmlElement {
  /** Without its namespace prefix. */
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: XmlElement[];
  text: string;
}

const maxDepth = 16;
/** Ten thousand parts with their checksums are fewer. */
const maxElements = 100_000;
const maxAttributes = 16;

function malformed(): S3Error {
  return new S3Error('MalformedXML');
}

const name = /[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?/y;
const blanks = /[ \t\r\n]*/y;

export function parseXml(bytes: Uint8Array): XmlElement {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw malformed();
  }
  return new Parser(text).document();
}

class Parser {
  readonly #text: string;
  #at = 0;
  #elements = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): XmlElement {
    this.#misc();
    if (this.#text[this.#at] !== '<') throw malformed();
    const root = this.#tree();
    this.#misc();
    if (this.#at !== this.#text.length) throw malformed();
    return root;
  }

  /** What may stand around the root: blanks, comments and the XML declaration. */
  #misc(): void {
    for (;;) {
      this.#match(blanks);
      if (this.#skip('<?', '?>') || this.#skip('<!--', '-->')) continue;
      return;
    }
  }

  /** Without recursion: depth is bounded by a count, not by the stack. */
  #tree(): XmlElement {
    const open: XmlElement[] = [];
    for (;;) {
      const started = this.#start();
      const parent = open.at(-1);
      parent?.children.push(started.element);
      if (started.isEmpty) {
        if (!parent) return started.element;
      } else open.push(started.element);
      if (open.length > maxDepth) throw malformed();
      const root = this.#content(open);
      if (root) return root;
    }
  }

  /** Reads on until an element starts; the root, when the last one ends. */
  #content(open: XmlElement[]): XmlElement | undefined {
    for (;;) {
      const current = open.at(-1) as XmlElement;
      const next = this.#text.indexOf('<', this.#at);
      if (next < 0) throw malformed();
      if (next > this.#at) current.text += decodeEntities(this.#text.slice(this.#at, next));
      this.#at = next;
      if (this.#skip('<!--', '-->') || this.#skip('<?', '?>')) continue;
      if (this.#text.startsWith('<![CDATA[', this.#at)) {
        const end = this.#text.indexOf(']]>', this.#at);
        if (end < 0) throw malformed();
        current.text += this.#text.slice(this.#at + '<![CDATA['.length, end);
        this.#at = end + 3;
        continue;
      }
      if (!this.#text.startsWith('</', this.#at)) return undefined;
      this.#at += 2;
      if (localName(this.#name()) !== current.name) throw malformed();
      this.#match(blanks);
      if (this.#text[this.#at++] !== '>') throw malformed();
      open.pop();
      if (open.length === 0) return current;
    }
  }

  #start(): { element: XmlElement; isEmpty: boolean } {
    if (++this.#elements > maxElements) throw malformed();
    this.#at++;
    const element = { name: localName(this.#name()), attributes: new Map(), children: [], text: '' };
    for (;;) {
      const before = this.#at;
      this.#match(blanks);
      if (this.#text.startsWith('/>', this.#at)) {
        this.#at += 2;
        return { element, isEmpty: true };
      }
      if (this.#text[this.#at] === '>') {
        this.#at++;
        return { element, isEmpty: false };
      }
      if (this.#at === before) throw malformed();
      this.#attribute(element.attributes);
    }
  }

  #attribute(into: Map<string, string>): void {
    const key = this.#name();
    this.#match(blanks);
    if (this.#text[this.#at++] !== '=') throw malformed();
    this.#match(blanks);
    const quote = this.#text[this.#at++];
    if (quote !== '"' && quote !== "'") throw malformed();
    const end = this.#text.indexOf(quote, this.#at);
    if (end < 0) throw malformed();
    const value = this.#text.slice(this.#at, end);
    if (value.includes('<') || into.has(key) || into.size >= maxAttributes) throw malformed();
    into.set(key, decodeEntities(value));
    this.#at = end + 1;
  }

  #name(): string {
    const found = this.#match(name);
    if (!found) throw malformed();
    return found;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ''] = pattern.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }

  #skip(start: string, end: string): boolean {
    if (!this.#text.startsWith(start, this.#at)) return false;
    const found = this.#text.indexOf(end, this.#at + start.length);
    if (found < 0) throw malformed();
    this.#at = found + end.length;
    return true;
  }
}

function localName(full: string): string {
  return full.slice(full.indexOf(':') + 1);
}

const entities = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&([^;&]{0,10};?)/g, (_, body: string) => {
    const known = entities.get(body.slice(0, -1));
    if (known !== undefined && body.endsWith(';')) return known;
    const [, hex, decimal] = /^#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}));$/.exec(body) ?? [];
    const point = hex ? Number.parseInt(hex, 16) : decimal ? Number(decimal) : Number.NaN;
    if (!(point > 0 && point <= 0x10ffff) || (point >= 0xd800 && point <= 0xdfff)) throw malformed();
    return String.fromCodePoint(point);
  });
}

export function childOf(parent: XmlElement, wanted: string): XmlElement | undefined {
  return parent.children.find(({ name: found }) => found === wanted);
}

export function childrenOf(parent: XmlElement, wanted: string): XmlElement[] {
  return parent.children.filter(({ name: found }) => found === wanted);
}

/** The text of a child, blanks around it left out; undefined: there is none. */
export function textOf(parent: XmlElement, wanted: string): string | undefined {
  return childOf(parent, wanted)?.text.trim();
}
