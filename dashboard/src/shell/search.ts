/** What lists keep in the address, for `validateSearch`. */

export interface FilterSearch {
  /** What the list is narrowed to. */
  filter?: string;
}

export function readFilter({ filter }: Record<string, unknown>): FilterSearch {
  return typeof filter === 'string' && filter !== '' ? { filter } : {};
}

export interface CreateSearch {
  /** The dialog that makes a new one is open. */
  create?: true;
}

export function readCreate({ create }: Record<string, unknown>): CreateSearch {
  return create === true ? { create } : {};
}

/** Whether every word of the filter is somewhere in the texts. */
export function matches(filter: string | undefined, ...texts: (string | null)[]): boolean {
  const words = filter?.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
  const all = texts.join('\n').toLowerCase();
  return words.every((word) => all.includes(word));
}
