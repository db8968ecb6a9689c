/** Longer ones are no names: they are passed over, and never held in memory whole. */
const longestLine = 8192;

/** Cuts chunks of text into lines. */
export async function* linesOf(chunks: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let rest = '';
  let isTooLong = false;
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!isTooLong && line.length <= longestLine) yield line;
      isTooLong = false;
    }
    if (rest.length > longestLine) {
      rest = '';
      isTooLong = true;
    }
  }
  if (!isTooLong && rest !== '') yield rest;
}
