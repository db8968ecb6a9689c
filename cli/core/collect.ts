/** Every item of every page. */
export async function collect<T>(list: AsyncIterable<T>, most = Number.POSITIVE_INFINITY): Promise<T[]> {
  const found: T[] = [];
  if (most <= 0) return found;
  for await (const item of list) {
    found.push(item);
    if (found.length >= most) break;
  }
  return found;
}
