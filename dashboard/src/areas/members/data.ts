import type { Invitation, Member } from '@mainstay/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import type { Option } from '#ui/select.tsx';

export type Role = Member['role'];

/** What each role may do; the API enforces it. */
export const roles: (Option<Role> & { hint: string })[] = [
  { value: 'OWNER', label: 'Owner', hint: 'Full access, including members and deletion' },
  { value: 'ADMIN', label: 'Admin', hint: 'Creates and changes resources' },
  { value: 'MEMBER', label: 'Member', hint: 'Read-only access' },
];

export function roleName(role: Role): string {
  return roles.find(({ value }) => value === role)?.label ?? role;
}

export const membersKey = (organizationId: string) => ['members', organizationId];

export const everyMemberQuery = (organizationId: string) =>
  queryOptions({
    queryKey: membersKey(organizationId),
    queryFn: async ({ signal }) => {
      const members: Member[] = [];
      for await (const one of api.members.list(organizationId, {}, { signal })) members.push(one);
      return members;
    },
  });

export const memberKeysQuery = (organizationId: string, membershipId: string) =>
  queryOptions({
    queryKey: [...membersKey(organizationId), 'keys', membershipId],
    queryFn: ({ signal }) =>
      api.members.apiKeys(organizationId, membershipId, { signal }).then(({ items }) => items),
  });

export const invitationsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['invitations', organizationId],
    queryFn: async ({ signal }) => {
      const invitations: Invitation[] = [];
      for await (const one of api.invitations.list(organizationId, {}, { signal })) invitations.push(one);
      return invitations;
    },
  });

export const openedInvitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['opened invitation', token],
    queryFn: ({ signal }) => api.invitations.open({ token }, { signal }),
  });

/** Somebody's name; the address where none is known. */
export function memberName({ givenName, familyName, email }: Member): string {
  return [givenName, familyName].filter(Boolean).join(' ') || email;
}
