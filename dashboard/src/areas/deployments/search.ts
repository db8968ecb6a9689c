import { readNames, type TimeSearch } from '#areas/logs/search.ts';

/** What of the lines and figures of a deployment is shown, as it stands in the address. */
export interface RuntimeSearch extends TimeSearch {
  /** Text in the line. */
  filter?: string;
  level?: string;
  function?: string;
  live?: string;
}

const names = ['filter', 'level', 'function', 'range', 'from', 'to', 'live'] as const;

export const readRuntimeSearch = (search: Record<string, unknown>): RuntimeSearch => readNames(search, names);

/** As the API takes it. */
export function toFilters({ filter, level, function: name }: RuntimeSearch) {
  return {
    ...(filter === undefined ? {} : { q: filter }),
    ...(level === undefined ? {} : { level }),
    ...(name === undefined ? {} : { function: name }),
  };
}

export const toTimeKey = ({ range, from, to }: TimeSearch) => [range, from, to];
