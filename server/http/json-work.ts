/** How many values, names and containers a body may hold where a route says nothing: each costs more than its bytes. */
export const defaultJsonItems = 20_000;

const quote = 0x22;
const backslash = 0x5c;
/** Below it a jump costs more than the steps. */
const plainBytes = 64;

/**
 * Whether JSON text has more items than that: containers, names, and values after the first of their container. Reads
 * bytes that have not been parsed and may be anything, in linear time, and stops at the limit.
 */
export function hasMoreItems(body: Uint8Array, limit: number): boolean {
  let items = 0;
  for (let at = 0; at < body.length; at++) {
    switch (body[at]) {
      case quote:
        at = endOfString(body, at);
        break;
      case 0x7b: // {
      case 0x5b: // [
      case 0x3a: // :
      case 0x2c: // ,
        if (++items > limit) return true;
    }
  }
  return false;
}

/** Where the string that begins here ends; the end of the text when it does not. */
function endOfString(body: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < body.length) {
    // Byte by byte as long as it is short or has escapes; long plain stretches are jumped over.
    const stop = Math.min(at + plainBytes, body.length);
    let isPlain = true;
    for (; at < stop; at++) {
      if (body[at] === quote) return at;
      if (body[at] !== backslash) continue;
      isPlain = false;
      at++;
    }
    if (!isPlain || at >= body.length) continue;
    const next = body.indexOf(quote, at);
    if (next < 0) return body.length;
    // A quote behind a backslash may be escaped: what leads to it is looked at.
    if (body[next - 1] !== backslash) return next;
    at = next - 1;
    while (at > start && body[at - 1] === backslash) at--;
  }
  return body.length;
}
