/** 1 entry, 2 entries; `plural` where an s does not make it. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
