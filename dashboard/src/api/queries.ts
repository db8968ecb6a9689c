import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isStatus } from '#api/errors.ts';
import { sessionQuery } from '#api/session.ts';

/** A 401 makes the page ask who is signed in, which leads to the sign-in page. */
const noticeEnd = (error: unknown) => {
  if (isStatus(error, 401)) void queryClient.invalidateQueries(sessionQuery);
  // The role or the products have changed since they were asked for.
  if (isStatus(error, 403)) void queryClient.invalidateQueries({ queryKey: ['permissions'] });
};

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEnd }),
  mutationCache: new MutationCache({ onError: noticeEnd }),
  defaultOptions: {
    // The client itself tries again what may be tried again.
    queries: { staleTime: 15_000, gcTime: 600_000, retry: false },
  },
});
