import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { idp } from '#api/idp.ts';

type Session = Awaited<ReturnType<typeof currentSession>>;
export type Person = NonNullable<Session['user']>;

function currentSession(signal: AbortSignal) {
  return idp('get', '/idp/session', { signal });
}

/** Who is signed in; `user` is null when nobody is. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => currentSession(signal),
  staleTime: 60_000,
});

/** What the sign-in pages have to offer here. */
export const optionsQuery = queryOptions({
  queryKey: ['sign-in options'],
  queryFn: ({ signal }) => idp('get', '/idp/options', { signal }),
  staleTime: 60_000,
});

/** The person who is signed in, on pages behind the sign-in. */
export function usePerson(): Person {
  const { data } = useSuspenseQuery(sessionQuery);
  if (!data.user) throw new Error('Nobody is signed in.');
  return data.user;
}

/** Ends the session, and leads back here after the next sign-in: some changes need one that is recent. */
export async function signInAgain(): Promise<void> {
  const next = new URLSearchParams({ next: location.pathname + location.search });
  await idp('post', '/idp/sign-out');
  location.assign(`/sign-in?${next}`);
}
