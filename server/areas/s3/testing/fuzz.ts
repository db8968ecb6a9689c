import { Dice } from '#testing/dice.ts';

/** Bytes and texts that look random and are the same on every run. */
export function random(seed: number) {
  const dice = new Dice(seed);
  const below = (limit: number) => dice.below(limit);
  const bytes = (length: number) => Buffer.from(Array.from({ length }, () => below(256)));
  const interesting = [
    '<',
    '>',
    '&',
    '"',
    "'",
    '/',
    '!',
    ';',
    '\r\n',
    '\0',
    ':',
    '=',
    '%',
    'f'.repeat(20),
    '<!DOCTYPE',
    ']]>',
  ];
  return {
    bytes,
    /** Well-formed text of that many code points. */
    text: (length: number) =>
      Array.from({ length }, () => String.fromCodePoint(below(4) ? 32 + below(95) : below(0xd7ff))).join(''),
    /** A few bytes changed, left out, doubled or put in. */
    mutate(original: Buffer): Buffer {
      let changed = original;
      for (let times = 1 + below(4); times > 0; times--) {
        const at = below(changed.length + 1);
        const to = at + below(8);
        const kind = below(4);
        const put =
          kind === 0 ? bytes(below(6)) : kind === 1 ? Buffer.from(dice.of(interesting)) : Buffer.alloc(0);
        const twice = kind === 3 ? changed.subarray(at, to) : Buffer.alloc(0);
        changed = Buffer.concat([
          changed.subarray(0, at),
          put,
          twice,
          changed.subarray(kind === 1 ? at : kind === 3 ? at : to),
        ]);
      }
      return changed;
    },
    /** The same bytes in pieces of any length. */
    async *split(whole: Buffer): AsyncGenerator<Buffer> {
      for (let at = 0; at < whole.length; ) {
        const end = at + 1 + below(9);
        yield whole.subarray(at, end);
        at = end;
      }
    },
  };
}
