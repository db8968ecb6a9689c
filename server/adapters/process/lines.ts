import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { counted } from '#core/counted.ts';

const maxLineCharacters = 64 * 1024;

export interface LineLimits {
  /** Lines beyond are dropped, and their number is told. */
  linesPerSecond: number;
  /** Of what is printed beyond, the rest waits: whoever prints so much is slowed down by it. */
  bytesPerSecond: number;
}

/**
 * Tells each line of what a program prints, bounded in length, number and bytes: a program that floods its log costs us
 * neither memory nor time.
 */
export function readLines(
  input: Readable,
  limits: LineLimits,
  onLine: (line: string) => void,
  now: () => number = () => performance.now(),
): void {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let isCut = false;
  let windowStart = now();
  let lines = 0;
  let bytes = 0;
  let dropped = 0;

  const tell = (line: string) => {
    lines += 1;
    if (lines > limits.linesPerSecond) dropped += 1;
    else onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
  };
  const newWindow = () => {
    if (dropped > 0) onLine(`${counted(dropped, 'line')} came too fast and cannot be shown.`);
    [windowStart, lines, bytes, dropped] = [now(), 0, 0, 0];
  };
  const take = (text: string) => {
    let from = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      if (!isCut) tell((rest + text.slice(from, end)).slice(0, maxLineCharacters));
      [rest, isCut, from] = ['', false, end + 1];
    }
    if (isCut) return;
    rest += text.slice(from, from + maxLineCharacters);
    if (rest.length < maxLineCharacters) return;
    // What follows of this line is not kept.
    tell(rest.slice(0, maxLineCharacters));
    [rest, isCut] = ['', true];
  };
  input.on('data', (chunk: Buffer) => {
    if (now() - windowStart >= 1000) newWindow();
    bytes += chunk.length;
    take(decoder.write(chunk));
    if (bytes < limits.bytesPerSecond) return;
    input.pause();
    setTimeout(() => input.resume(), Math.max(0, windowStart + 1000 - now()));
  });
  input.on('end', () => {
    if (rest !== '' && !isCut) tell(rest);
    if (dropped > 0) newWindow();
  });
}
