/** The JSON of each line that begins so; an empty object is none of them. */
export async function* linesOf<T>(response: Response, start: string): AsyncGenerator<T> {
  for await (const line of lines(response))
    if (line.startsWith(start) && line.length > start.length + 2) yield JSON.parse(line.slice(start.length));
}

/** The lines of an answer as they come. What stands behind the last line break is none. */
export async function* lines(response: Response): AsyncGenerator<string> {
  const reader = response.body?.getReader();
  if (!reader) return;
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      text += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const whole = text.split(/\r?\n/);
      text = whole.pop() ?? '';
      yield* whole;
      if (done) return;
    }
  } finally {
    await reader.cancel();
  }
}
