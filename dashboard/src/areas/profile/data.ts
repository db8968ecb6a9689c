import { queryOptions } from '@tanstack/react-query';
import { idp } from '#api/idp.ts';

export const passkeysQuery = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: ({ signal }) => idp('get', '/idp/passkey/list-user-passkeys', { signal }),
});

export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: ({ signal }) => idp('get', '/idp/sessions', { signal }),
});

export const grantsQuery = queryOptions({
  queryKey: ['account', 'grants'],
  queryFn: ({ signal }) => idp('get', '/idp/grants', { signal }),
});

export const historyQuery = queryOptions({
  queryKey: ['account', 'history'],
  queryFn: ({ signal }) => idp('get', '/idp/audit-log', { query: { limit: '50' }, signal }),
});
