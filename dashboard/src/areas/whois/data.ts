import { queryOptions } from '@tanstack/react-query';
import { api } from '#api/client.ts';

export const recordQuery = (domain: string) =>
  queryOptions({
    queryKey: ['whois', domain],
    queryFn: ({ signal }) => api.whois.domain(domain, { signal }),
    staleTime: 300_000,
  });

export const rawQuery = (domain: string) =>
  queryOptions({
    queryKey: ['whois', domain, 'raw'],
    queryFn: ({ signal }) => api.whois.raw(domain, { signal }),
    staleTime: 300_000,
  });

export const availabilityQuery = (names: string[]) =>
  queryOptions({
    queryKey: ['availability', names],
    queryFn: ({ signal }) => api.whois.availability(names, { signal }),
    staleTime: 60_000,
  });

/** Names as people write them down: by lines, commas or blanks. */
export function namesOf(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter(Boolean))];
}
