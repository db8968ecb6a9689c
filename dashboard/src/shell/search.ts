/** What lists keep in the address, for `validateSearch`. */

export interface FilterSearch {
  /** What the list is narrowed to. */
  filter?: string;
}

export function readFilter({ filter }: Record<string, unknown>): FilterSearch {
  return typeof filter === 'string' && filter !== '' ? { filter } : {};
}

/** Of a list: text filter, order (`name`, or `-name` from the other end), and the facets that it has. */
export type ListSearch<Facet extends string = never> = { [Name in 'filter' | 'sort' | Facet]?: string };

export function readList<Facet extends string = never>(
  search: Record<string, unknown>,
  facets: readonly Facet[] = [],
): ListSearch<Facet> {
  return Object.fromEntries(
    ['filter', 'sort', ...facets]
      .map((name) => [name, search[name]])
      .filter(([, value]) => typeof value === 'string' && value !== ''),
  );
}

/** With a change to it; undefined takes a name out of the address. */
export function changed<Search extends object>(
  search: Search,
  change: { [Name in keyof Search]?: Search[Name] | undefined },
): Search {
  return Object.fromEntries(
    Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined),
  ) as Search;
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
