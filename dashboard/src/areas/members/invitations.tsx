import type { Invitation } from '@mainstay/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Mail, Send, X } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '#api/action.ts';
import { api } from '#api/client.ts';
import { invitationsQuery, roleName } from '#areas/members/data.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { Badge } from '#ui/badge.tsx';
import { Button, IconButton } from '#ui/button.tsx';
import { CodeBlock } from '#ui/code-block.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Pending } from '#ui/pending.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { SecretDialog } from '#ui/secret-once.tsx';
import { toast } from '#ui/toast.ts';

/** Those that nobody has accepted yet. */
export function Invitations({ onInvite }: { onInvite: () => void }) {
  const { id } = useOrganization();
  const query = useQuery(invitationsQuery(id));
  const { data } = query;
  const path = `/organizations/${id}/invitations`;
  return (
    <section className="mt-10" aria-label="Invitations">
      <div className="mb-3 flex items-center justify-between gap-3">
        <h2 className="text-base font-semibold">Pending invitations</h2>
      </div>
      <Pending query={query} className="h-24" />
      {data?.length === 0 && (
        <EmptyState
          icon={<Mail />}
          title="No pending invitations"
          action={<Button onClick={onInvite}>Invite member</Button>}
          call={{ method: 'POST', path, body: { email: 'second@example.com', role: 'ADMIN' } }}
        >
          An invitation is a link for one e-mail address. It works once and adds the person with the role that
          you choose.
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
  const [link, setLink] = useState<string>();
  // A new one of the same address takes the place of the old.
  const resend = useAction({
    run: () => api.invitations.create(organizationId, { email, role }),
    refresh: [invitationsQuery(organizationId).queryKey],
    done: ({ sent }) => (sent ? `Invitation sent to ${email}` : 'Invitation link created'),
  });
  return (
    <li className="flex min-h-11 items-center gap-3 px-4 py-1.5">
      <span className="min-w-0 flex-1 leading-4">
        <span className="block truncate font-medium">{email}</span>
        <span className="text-xs text-faint">
          Expires <RelativeTime time={expiresAt} />
        </span>
      </span>
      <Badge>{roleName(role)}</Badge>
      <Button
        size="sm"
        busy={resend.isPending}
        onClick={() => resend.mutate(undefined, { onSuccess: ({ url }) => setLink(url ?? undefined) })}
      >
        <Send aria-hidden />
        Resend
      </Button>
      {link && (
        <SecretDialog title={`Invitation link for ${email}`} onClose={() => setLink(undefined)}>
          <p>
            This instance sends no e-mail. Share this link yourself. It works once and replaces the previous
            link.
          </p>
          <CodeBlock label={`Only for the account of ${email}`} code={link} />
        </SecretDialog>
      )}
      <IconButton
        size="sm"
        label={`Revoke the invitation for ${email}`}
        icon={<X aria-hidden />}
        onClick={() => setOpen(true)}
      />
      <ConfirmDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title="Revoke the invitation?"
        action="Revoke invitation"
        onConfirm={async () => {
          await api.invitations.delete(organizationId, id);
          await client.invalidateQueries(invitationsQuery(organizationId));
          toast.done('Invitation revoked');
        }}
        call={{ method: 'DELETE', path: `/organizations/${organizationId}/invitations/${id}` }}
      >
        The link sent to {email} stops working.
      </ConfirmDialog>
    </li>
  );
}
