import { isUtf8 } from 'node:buffer';
import type { FastifyReply } from 'fastify';
import type { Maybe } from '#core/maybe.ts';
import { Problem } from '#core/problem.ts';

/**
 * Parses a JSON body strictly: valid UTF-8 (RFC 8259, 8.1), no name twice in one object (I-JSON, RFC 7493, 2.3: which
 * of the two is meant differs from parser to parser), no `__proto__`.
 */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) throw new Problem('invalid_request', 'The body is empty; send a JSON object.');
  if (!isUtf8(body)) throw new Problem('invalid_request', 'The body is not valid UTF-8.');
  const text = body.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Problem('invalid_request', 'The body is not valid JSON.');
  }
  refuseRepeatedNames(text);
  return value;
}

/** Walks the names of valid JSON text. Skips over strings at the speed of indexOf: values may be megabytes. */
function refuseRepeatedNames(text: string): void {
  const open: (Set<string> | null)[] = [];
  let expectName = false;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x7b: // {
        open.push(new Set());
        expectName = true;
        break;
      case 0x5b: // [
        open.push(null);
        expectName = false;
        break;
      case 0x7d: // }
      case 0x5d: // ]
        open.pop();
        expectName = false;
        break;
      case 0x2c: // ,
        expectName = open.at(-1) != null;
        break;
      case 0x22: {
        const end = endOfString(text, at);
        if (expectName) {
          remember(open.at(-1), nameOf(text, at, end));
          expectName = false;
        }
        at = end;
      }
    }
  }
}

function nameOf(text: string, start: number, end: number): string {
  const name = text.slice(start + 1, end);
  // Only escapes need more than taking off the quotes.
  return name.includes('\\') ? (JSON.parse(text.slice(start, end + 1)) as string) : name;
}

function remember(names: Set<string> | null | undefined, name: string): void {
  const shown = name.slice(0, 100);
  if (name === '__proto__') throw new Problem('invalid_request', `The field "${shown}" is unknown.`);
  if (names?.has(name)) throw new Problem('invalid_request', `The field "${shown}" is given twice.`);
  names?.add(name);
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  if (text.charCodeAt(end - 1) !== 0x5c) return end;
  // Escapes: one by one, so that many of them cost no more than their length.
  for (end = start + 1; text.charCodeAt(end) !== 0x22; end++) if (text.charCodeAt(end) === 0x5c) end++;
  return end;
}

/**
 * Sends JSON that is written already, for answers that are kept as text. Needs that no `onSend` hook is asynchronous: the
 * reply has to be sent when this returns, or Fastify would send the `undefined` that handlers return instead.
 */
export function sendJson(
  reply: Pick<FastifyReply, 'header' | 'send'>,
  text: Maybe<string>,
): void | Promise<void> {
  reply.header('content-type', 'application/json; charset=utf-8');
  if (text instanceof Promise) return text.then((json) => void reply.send(json));
  reply.send(text);
}
