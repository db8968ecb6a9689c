import { AsyncLocalStorage } from 'node:async_hooks';

/** The request that better-auth works for. */
export const requestOf = new AsyncLocalStorage<{
  requestId: string;
  totpCode?: string;
  /** With a new password, end the API keys that the person has made. */
  endKeys: boolean;
  /** Who is signed in; undefined when nobody is. */
  actingUserId: string | undefined;
  /** Of users, as the request first knew them; see epochs.ts. */
  epochs: Map<string, number>;
}>();
