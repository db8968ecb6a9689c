import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { idp } from '#api/idp.ts';

/** Continues after signing in; cached data of the previous session is dropped. */
export function useEnter() {
  const client = useQueryClient();
  const router = useRouter();
  return async (next = '/') => {
    client.clear();
    // Loaded anew, because it goes by the query to the letter.
    if (next.startsWith('/authorize?')) return location.assign(next);
    await router.navigate({ href: next, replace: true });
  };
}

/** How hard a password is to guess; the API rates it, and the same rule decides when it is set. */
export const strengthQuery = (about: { password: string; email?: string; name?: string }) =>
  queryOptions({
    queryKey: ['password strength', about],
    queryFn: ({ signal }) => idp('post', '/idp/password-strength', { body: about, signal }),
    enabled: about.password !== '',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** The token that a link carries behind `#`, where no server and no log sees it. It leaves the address at once. */
export function takeToken(): string {
  const token = location.hash.slice(1);
  if (token !== '') history.replaceState(history.state, '', location.pathname + location.search);
  return token;
}
