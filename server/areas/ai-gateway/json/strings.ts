/** Names of members that hold no words: ids, kinds, signatures, and data in base64. */
const wordless = new Set([
  ...[
    'id',
    'type',
    'role',
    'object',
    'model',
    'tool_call_id',
    'tool_use_id',
    'call_id',
    'item_id',
    'file_id',
  ],
  ...['response_id', 'signature', 'thought_signature', 'encrypted_content', 'data', 'file_data', 'b64_json'],
]);

/** Strings longer than this that hold nothing but base64 are data. */
const dataLength = 1024;

/**
 * Shows every string of JSON text that holds words, and puts what is returned in its place. Every other byte stays as it
 * is: what is not changed keeps a provider's prompt cache. The text has to be JSON; undefined: nothing was changed.
 */
export function rewriteStrings(text: string, change: (value: string) => string): string | undefined {
  /** Of each object or list that is open: the name that its strings go by, and whether it is an object. */
  const open: { name: string; isObject: boolean }[] = [];
  let name = '';
  let done = 0;
  let result = '';
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x7b || code === 0x5b) open.push({ name, isObject: code === 0x7b });
    else if (code === 0x7d || code === 0x5d) name = open.pop()?.name ?? '';
    else if (code === 0x2c) name = open.at(-1)?.isObject ? '' : (open.at(-1)?.name ?? '');
    if (code !== 0x22) continue;
    const end = endOfString(text, at);
    if (open.at(-1)?.isObject && isName(text, end)) name = JSON.parse(text.slice(at, end)) as string;
    else if (end - at > 2 && !wordless.has(name)) {
      const value = JSON.parse(text.slice(at, end)) as string;
      const changed = isData(value) ? value : change(value);
      if (changed !== value) {
        result += text.slice(done, at) + JSON.stringify(changed);
        done = end;
      }
    }
    at = end - 1;
  }
  return done === 0 ? undefined : result + text.slice(done);
}

/** Behind the closing quote of the string that begins here. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === 0x5c) before--;
    if ((at - before) % 2 === 1) return at + 1;
  }
  return text.length;
}

function isName(text: string, end: number): boolean {
  let at = end;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at++;
  return text.charCodeAt(at) === 0x3a;
}

function isData(value: string): boolean {
  if (/^data:[^,]{0,200};base64,/.test(value)) return true;
  return value.length > dataLength && /^[\w+/=-]+$/.test(value);
}
