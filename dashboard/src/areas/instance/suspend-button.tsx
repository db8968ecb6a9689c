import type { AdminOrganization } from '@mainstay/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '#api/action.ts';
import { api } from '#api/client.ts';
import { Button } from '#ui/button.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';

const queryKey = ['instance', 'organizations'];

export function SuspendButton({
  organization: { id, name, suspended },
}: {
  organization: AdminOrganization;
}) {
  const [isAsked, setAsked] = useState(false);
  const client = useQueryClient();
  const lift = useAction({
    run: () => api.admin.updateOrganization(id, { suspended: false }),
    refresh: [queryKey],
    done: `Suspension of ${name} lifted`,
  });
  const suspend = async () => {
    await api.admin.updateOrganization(id, { suspended: true });
    await client.invalidateQueries({ queryKey });
  };
  return (
    <>
      {suspended ? (
        <Button size="sm" busy={lift.isPending} onClick={() => lift.mutate()}>
          Lift suspension
        </Button>
      ) : (
        <Button size="sm" look="ghost" onClick={() => setAsked(true)}>
          Suspend
        </Button>
      )}
      <ConfirmDialog
        open={isAsked}
        onClose={() => setAsked(false)}
        title={`Suspend ${name}?`}
        action="Suspend"
        onConfirm={suspend}
        call={{ method: 'PATCH', path: `/admin/organizations/${id}`, body: { suspended: true } }}
      >
        Its keys and members lose access within a second. No data is lost, and you can lift the suspension at
        any time.
      </ConfirmDialog>
    </>
  );
}
