import type { Member } from '@mainstay/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '#api/action.ts';
import { api } from '#api/client.ts';
import { everyMemberQuery, memberName, membersKey, type Role, roleName, roles } from '#areas/members/data.ts';
import { permissionsQuery } from '#areas/organizations/permissions.ts';
import { Badge } from '#ui/badge.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { Select } from '#ui/select.tsx';

/** Changed in place, with undo; only the step down of oneself, which cannot be taken back, asks first. */
export function RoleCell({ member, isOwn, isFixed }: { member: Member; isOwn: boolean; isFixed: boolean }) {
  const [stepDownTo, setStepDownTo] = useState<Role>();
  const client = useQueryClient();
  const { organizationId, membershipId } = member;
  const change = (role: Role) => api.members.update(organizationId, membershipId, { role });
  const { mutate } = useAction({
    // What it was goes along: by the time of an undo this member has the new role.
    run: ({ role }: { role: Role; before: Role }) => change(role),
    refresh: [membersKey(organizationId)],
    optimistic: {
      queryKey: everyMemberQuery(organizationId).queryKey,
      update: (members: Member[], { role }: { role: Role }) =>
        members.map((one) => (one.membershipId === membershipId ? { ...one, role } : one)),
    },
    done: (_result, { role }) => `Role of ${memberName(member)} changed to ${roleName(role)}`,
    undo: (_result, { before }) => change(before),
  });
  if (isFixed)
    return <Badge tone={member.role === 'OWNER' ? 'accent' : 'neutral'}>{roleName(member.role)}</Badge>;
  return (
    <>
      <Select
        label={`Role of ${memberName(member)}`}
        value={member.role}
        options={roles}
        onChange={(role) => {
          if (role === member.role) return;
          if (isOwn) setStepDownTo(role);
          else mutate({ role, before: member.role });
        }}
      />
      {stepDownTo && (
        <ConfirmDialog
          open
          onClose={() => setStepDownTo(undefined)}
          title="Change your own role?"
          action="Change role"
          onConfirm={async () => {
            await change(stepDownTo);
            await Promise.all([
              client.invalidateQueries({ queryKey: membersKey(organizationId) }),
              client.invalidateQueries(permissionsQuery(organizationId)),
            ]);
          }}
          call={{
            method: 'PATCH',
            path: `/organizations/${organizationId}/members/${membershipId}`,
            body: { role: stepDownTo },
          }}
        >
          You become {roleName(stepDownTo).toLowerCase()}. Only another owner can make you an owner again.
        </ConfirmDialog>
      )}
    </>
  );
}
