import { AsyncLocalStorage } from 'node:async_hooks';
import type { MadeKeys } from '#accounts/api-keys/service.ts';

/** The request that better-auth works for. */
export const requestOf = new AsyncLocalStorage<{
  requestId: string;
  totpCode?: string;
  /** With a new password, ends the keys that the person has made; null: they are kept. */
  endKeys: MadeKeys | null;
  /** Who is signed in; undefined when nobody is. */
  actingUserId: string | undefined;
  /** Of users, as the request first knew them; see epochs.ts. */
  epochs: Map<string, number>;
}>();
