import type { Invitation } from '@mainstay/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Mail, X } from 'lucide-react';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { invitationsQuery, roleName } from '#areas/members/data.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { Badge } from '#ui/badge.tsx';
import { Button, IconButton } from '#ui/button.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Pending } from '#ui/pending.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { toast } from '#ui/toast.ts';
import { ViewAsCode } from '#ui/view-as-code.tsx';

/** Those that nobody has accepted yet. */
export function Invitations({ onInvite }: { onInvite: () => void }) {
  const { id } = useOrganization();
  const query = useQuery(invitationsQuery(id));
  const { data } = query;
  const path = `/organizations/${id}/invitations`;
  return (
    <section className="mt-10" aria-label="Invitations">
      <div className="mb-3 flex items-center justify-between gap-3">
        <h2 className="text-base font-semibold">Open invitations</h2>
        <ViewAsCode call={{ method: 'GET', path }} />
      </div>
      <Pending query={query} className="h-24" />
      {data?.length === 0 && (
        <EmptyState
          icon={<Mail />}
          title="Nobody is invited at the moment"
          action={<Button onClick={onInvite}>Invite somebody</Button>}
          call={{ method: 'POST', path, body: { email: 'second@example.com', role: 'ADMIN' } }}
        >
          An invitation is a link for one address. It works once, and makes its person a member with the role
          that you chose.
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <ul className="divide-y rounded-lg border bg-surface">
          {data.map((invitation) => (
            <Line key={invitation.id} invitation={invitation} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Line({ invitation }: { invitation: Invitation }) {
  const [isOpen, setOpen] = useState(false);
  const client = useQueryClient();
  const { organizationId, id, email, role, expiresAt } = invitation;
  return (
    <li className="flex min-h-11 items-center gap-3 px-4 py-1.5">
      <span className="min-w-0 flex-1 leading-4">
        <span className="block truncate font-medium">{email}</span>
        <span className="text-xs text-faint">
          Ends <RelativeTime time={expiresAt} />
        </span>
      </span>
      <Badge>{roleName(role)}</Badge>
      <IconButton
        size="sm"
        label={`Withdraw the invitation of ${email}`}
        icon={<X aria-hidden />}
        onClick={() => setOpen(true)}
      />
      <ConfirmDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title="Withdraw the invitation?"
        action="Withdraw"
        onConfirm={async () => {
          await api.invitations.delete(organizationId, id);
          await client.invalidateQueries(invitationsQuery(organizationId));
          toast.done('The invitation is withdrawn');
        }}
        call={{ method: 'DELETE', path: `/organizations/${organizationId}/invitations/${id}` }}
      >
        The link that {email} has stops working.
      </ConfirmDialog>
    </li>
  );
}
