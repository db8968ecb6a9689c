import { StringDecoder } from 'node:string_decoder';

/** One event of a stream (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export interface SseEvent {
  /** Empty: none was named. */
  name: string;
  /** Undefined: an event without data, such as a comment. */
  data: string | undefined;
  /** As it came, with the blank line behind it. */
  raw: string;
}

const maxEventLength = 32 * 1024 * 1024;

export class OversizedEvent extends Error {
  override name = 'OversizedEvent';
}

/** Cuts a stream into events, whatever the pieces it comes in: lines end with LF, CRLF or CR. */
export class SseSplitter {
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';
  /** How far `#rest` was searched for an end. */
  #searched = 0;

  push(chunk: Buffer): SseEvent[] {
    this.#rest += this.#decoder.write(chunk);
    if (this.#rest.length > maxEventLength) throw new OversizedEvent('An event is too large.');
    const events: SseEvent[] = [];
    let start = 0;
    for (;;) {
      const end = endOfEvent(this.#rest, Math.max(start, this.#searched));
      if (end < 0) break;
      events.push(parseEvent(this.#rest.slice(start, end)));
      start = end;
      this.#searched = end;
    }
    if (start > 0) this.#rest = this.#rest.slice(start);
    // An end may begin in the last characters and be complete with the next piece.
    this.#searched = Math.max(0, this.#rest.length - 3);
    return events;
  }

  /** What came after the last event: a provider that was cut off leaves something here. */
  get rest(): string {
    return this.#rest;
  }
}

/** Behind the blank line that ends an event; -1: not there yet. */
function endOfEvent(text: string, from: number): number {
  const hasCarriage = text.indexOf('\r', from) >= 0;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 && text.charCodeAt(at + 1) === 10) return at + 2;
    if (code === 10 && text.charCodeAt(at + 1) === 13 && text.charCodeAt(at + 2) === 10) return at + 3;
    if (code === 13 && text.charCodeAt(at + 1) === 13) return at + 2;
    if (code !== 10 && code !== 13) {
      // Whole lines are passed over at once.
      const next = text.indexOf('\n', at);
      const carriage = hasCarriage ? text.indexOf('\r', at) : -1;
      const line = next < 0 ? carriage : carriage < 0 ? next : Math.min(next, carriage);
      if (line < 0) return -1;
      at = line - 1;
    }
  }
  return -1;
}

function parseEvent(raw: string): SseEvent {
  // The usual event is one line of data.
  if (raw.startsWith('data: ')) {
    const end = raw.indexOf('\n');
    if (end === raw.length - 2 || (end === raw.length - 3 && raw.charCodeAt(end + 1) === 13)) {
      const line = raw.charCodeAt(end - 1) === 13 ? end - 1 : end;
      return { name: '', data: raw.slice(6, line), raw };
    }
  }
  let name = '';
  let data: string | undefined;
  for (const line of raw.split(/\r\n|\n|\r/)) {
    const colon = line.indexOf(':');
    if (colon === 0 || line === '') continue;
    const field = colon < 0 ? line : line.slice(0, colon);
    let value = colon < 0 ? '' : line.slice(colon + 1);
    if (value.startsWith(' ')) value = value.slice(1);
    if (field === 'event') name = value;
    else if (field === 'data') data = data === undefined ? value : `${data}\n${value}`;
  }
  return { name, data, raw };
}
