import type { Member } from '@mainstay/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { organizationsQuery, useOrganization } from '#areas/organizations/data.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { toast } from '#ui/toast.ts';

export function LeaveCard({ membership, isLastOwner }: { membership: Member; isLastOwner: boolean }) {
  const organization = useOrganization();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const leave = async () => {
    await api.members.remove(organization.id, membership.membershipId);
    // First away from its pages: they would ask for what is no longer shown.
    await navigate({ to: '/o' });
    await client.invalidateQueries(organizationsQuery);
    toast.done(`You left ${organization.name}`);
  };
  if (isLastOwner) {
    return (
      <Card
        title="Leave the organization"
        description="You are the last owner. Make another member an owner first, or delete the organization in its settings."
      />
    );
  }
  return (
    <Card
      tone="danger"
      title="Leave the organization"
      description="You lose access immediately. An owner can invite you again."
      actions={
        <Button look="danger" onClick={() => setOpen(true)}>
          Leave
        </Button>
      }
    >
      <ConfirmDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={`Leave ${organization.name}?`}
        action="Leave organization"
        onConfirm={leave}
        call={{
          method: 'DELETE',
          path: `/organizations/${organization.id}/members/${membership.membershipId}`,
        }}
      >
        You and your personal API keys lose access. What you created stays.
      </ConfirmDialog>
    </Card>
  );
}
