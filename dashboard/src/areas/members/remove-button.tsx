import type { Member } from '@mainstay/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { UserMinus } from 'lucide-react';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { MadeKeys } from '#areas/keys/made-keys.tsx';
import { memberName, membersKey } from '#areas/members/data.ts';
import { IconButton } from '#ui/button.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { toast } from '#ui/toast.ts';

export function RemoveButton({ member }: { member: Member }) {
  const [isOpen, setOpen] = useState(false);
  const [keep, setKeep] = useState(false);
  const client = useQueryClient();
  const { organizationId, membershipId } = member;
  const name = memberName(member);
  return (
    <>
      <IconButton
        size="sm"
        label={`Remove ${name}`}
        icon={<UserMinus aria-hidden />}
        onClick={() => setOpen(true)}
      />
      <ConfirmDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={`Remove ${name}?`}
        action="Remove member"
        onConfirm={async () => {
          await api.members.remove(organizationId, membershipId, { keepApiKeys: keep });
          await client.invalidateQueries({ queryKey: membersKey(organizationId) });
          toast.done(`${name} removed`);
        }}
        call={{ method: 'DELETE', path: `/organizations/${organizationId}/members/${membershipId}` }}
      >
        They lose access immediately, including through their own API keys. You can invite them again.
        {isOpen && (
          <MadeKeys
            of={membershipId}
            load={(signal) => api.members.apiKeys(organizationId, membershipId, { signal })}
            keep={keep}
            onKeepChange={setKeep}
          />
        )}
      </ConfirmDialog>
    </>
  );
}
