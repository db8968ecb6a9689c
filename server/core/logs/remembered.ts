/** Beyond, the whole memory starts anew: what repeats is soon known again. */
const maxEntries = 256;
const maxCharacters = 256;

/**
 * The same function of a text, which works out only once what repeats: most lines have the headers of the line before.
 * Bounded, and long texts are not kept.
 */
export function remembered<T>(work: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const made = work(text);
    if (text.length > maxCharacters) return made;
    if (known.size >= maxEntries) known.clear();
    known.set(text, made);
    return made;
  };
}
