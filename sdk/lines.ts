/** The JSON of each line that begins so; an empty object is none of them. */
export async function* linesOf<T>(response: Response, start: string): AsyncGenerator<T> {
  const reader = response.body?.getReader();
  if (!reader) return;
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      text += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      for (const line of lines)
        if (line.startsWith(start) && line.length > start.length + 2)
          yield JSON.parse(line.slice(start.length));
      if (done) return;
    }
  } finally {
    await reader.cancel();
  }
}
