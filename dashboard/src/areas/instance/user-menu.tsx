import type { AdminUser, PasswordResetLink } from '@mainstay/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Ban, CreditCard, Ellipsis, KeyRound, ScrollText, ShieldPlus, UserCheck } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '#api/action.ts';
import { api } from '#api/client.ts';
import { IconButton } from '#ui/button.tsx';
import { CodeBlock } from '#ui/code-block.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { Dialog, DialogActions } from '#ui/dialog.tsx';
import { Notice } from '#ui/error-notice.tsx';
import { Menu, MenuItem, MenuSeparator } from '#ui/menu.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { ViewAsCode } from '#ui/view-as-code.tsx';

type Change = Parameters<typeof api.admin.updateUser>[1];
const queryKey = ['instance'];

export function UserMenu({ user }: { user: AdminUser }) {
  const [asked, setAsked] = useState<'suspend' | 'operator' | 'password'>();
  const [link, setLink] = useState<PasswordResetLink>();
  const client = useQueryClient();
  const path = `/admin/users/${user.id}`;
  const { mutate } = useAction({
    run: (change: Change) => api.admin.updateUser(user.id, change),
    refresh: [queryKey],
    done: `${user.name} updated`,
    undo: (_result, change) => api.admin.updateUser(user.id, opposite(change)),
  });
  const change = async (body: Change) => {
    await api.admin.updateUser(user.id, body);
    await client.invalidateQueries({ queryKey });
  };
  const close = () => setAsked(undefined);
  return (
    <>
      <Menu
        trigger={<IconButton size="sm" label={`Actions for ${user.name}`} icon={<Ellipsis aria-hidden />} />}
      >
        {!user.admitted && (
          <MenuItem icon={<UserCheck aria-hidden />} onSelect={() => mutate({ admitted: true })}>
            Admit
          </MenuItem>
        )}
        <MenuItem
          icon={<CreditCard aria-hidden />}
          onSelect={() => mutate({ hasPaymentMethod: !user.hasPaymentMethod })}
        >
          {user.hasPaymentMethod ? 'Mark as without payment method' : 'Mark as having a payment method'}
        </MenuItem>
        <MenuItem icon={<KeyRound aria-hidden />} onSelect={() => setAsked('password')}>
          Create password reset link
        </MenuItem>
        <MenuItem
          icon={<ScrollText aria-hidden />}
          render={<Link to="/instance/audit-log" search={{ actorId: user.id }} />}
        >
          View activity
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<ShieldPlus aria-hidden />} onSelect={() => setAsked('operator')}>
          {user.operator ? 'Remove operator role' : 'Make an operator'}
        </MenuItem>
        {user.suspended ? (
          <MenuItem icon={<UserCheck aria-hidden />} onSelect={() => mutate({ suspended: false })}>
            Lift the suspension
          </MenuItem>
        ) : (
          <MenuItem danger icon={<Ban aria-hidden />} onSelect={() => setAsked('suspend')}>
            Suspend
          </MenuItem>
        )}
      </Menu>
      <ConfirmDialog
        open={asked === 'suspend'}
        onClose={close}
        title={`Suspend ${user.name}?`}
        action="Suspend"
        onConfirm={() => change({ suspended: true })}
        call={{ method: 'PATCH', path, body: { suspended: true } }}
      >
        Their sessions end and they can no longer sign in. API keys of their organizations keep working.
      </ConfirmDialog>
      <ConfirmDialog
        open={asked === 'operator'}
        onClose={close}
        title={user.operator ? `Remove ${user.name} as an operator?` : `Make ${user.name} an operator?`}
        action={user.operator ? 'Remove operator role' : 'Make an operator'}
        onConfirm={() => change({ operator: !user.operator })}
        call={{ method: 'PATCH', path, body: { operator: !user.operator } }}
      >
        Operators can view and change every organization and account on the instance.
      </ConfirmDialog>
      <ConfirmDialog
        open={asked === 'password'}
        onClose={close}
        title={`Create a password reset link for ${user.name}?`}
        action="Create link"
        onConfirm={async () => setLink(await api.admin.createPasswordReset(user.id))}
        call={{ method: 'POST', path: `${path}/password-reset` }}
      >
        Anyone who opens the link can set a new password for {user.email}. The current password works until
        then.
      </ConfirmDialog>
      <Dialog
        open={link !== undefined}
        sticky
        onClose={() => setLink(undefined)}
        title={`Password reset link for ${user.name}`}
      >
        {link && (
          <>
            <Notice tone="warning">
              Send it over a secure channel. It works once and is not shown again.
            </Notice>
            <div className="mt-4">
              <CodeBlock code={link.url} />
            </div>
            <DialogActions aside={<ViewAsCode call={{ method: 'POST', path: `${path}/password-reset` }} />}>
              <span className="text-muted">
                Ends <RelativeTime time={link.expiresAt} />
              </span>
            </DialogActions>
          </>
        )}
      </Dialog>
    </>
  );
}

function opposite(change: Change): Change {
  return Object.fromEntries(Object.entries(change).map(([name, value]) => [name, !value]));
}
