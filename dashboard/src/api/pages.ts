import type { QueryFunctionContext } from '@tanstack/react-query';
import { keepPreviousData } from '@tanstack/react-query';

export interface Page<Item> {
  items: Item[];
  total: number;
  nextCursor?: string;
}

/** For `useInfiniteQuery`: a list of the API, page by page. What was there stays in sight while a filter changes. */
export function byPage<Item>(load: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Item>>) {
  return {
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }: QueryFunctionContext<readonly unknown[], string | undefined>) =>
      load(pageParam, signal),
    getNextPageParam: (last: Page<Item>) => last.nextCursor,
    placeholderData: keepPreviousData,
  };
}

/** `?a=1&b=2` of what is there, for the call beside an action. */
export function searchText(values: Record<string, unknown>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) search.append(name, String(one));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}
