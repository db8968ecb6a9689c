/** Text as a terminal shows it. */

let segmenter: Intl.Segmenter | undefined;
/** Made when it is needed: it takes longer than the rest of a small command. */
function segments(text: string) {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return segmenter.segment(text);
}
const wide =
  /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F|[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|[\u{20000}-\u{3FFFD}])/u;
const invisible = /^[\p{Mark}\p{Format}]+$/u;

/** Columns that it takes. */
export function width(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of segments(text)) {
    if (wide.test(segment)) columns += 2;
    else if (!invisible.test(segment)) columns += 1;
  }
  return columns;
}

/** Shortened to so many columns. */
export function fit(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of segments(text)) {
    const one = width(segment);
    if (used + one > columns - 1) break;
    kept += segment;
    used += one;
  }
  return columns > 0 ? `${kept}…` : '';
}

export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - width(text)));
}

const escapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Names come from anywhere: what would move the cursor, colour the screen or turn the line around is written out. */
export function visible(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that are looked for.
    /[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g,
    (sign) => escapes[sign] ?? `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

export function bytes(count: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = count;
  let at = 0;
  for (; value >= 1024 && at < units.length - 1; at++) value /= 1024;
  return `${at === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[at]}`;
}

/** 1 file, 2 files. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** Since then, in one word. */
export function ago(time: string | number | null | undefined, now = Date.now()): string {
  if (time === null || time === undefined) return 'never';
  const seconds = Math.round((now - new Date(time).getTime()) / 1000);
  if (seconds < 60) return seconds < 5 ? 'now' : `${seconds} s ago`;
  for (const [unit, size] of [
    ['d', 86_400],
    ['h', 3600],
    ['min', 60],
  ] as const)
    if (seconds >= size) return `${Math.floor(seconds / size)} ${unit} ago`;
  return '';
}
