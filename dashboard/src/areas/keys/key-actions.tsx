import type { ApiKey } from '@mainstay/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { RefreshCw, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useAction } from '#api/action.ts';
import { api } from '#api/client.ts';
import { type KeyOwner, keysQuery } from '#areas/keys/data.ts';
import { Button } from '#ui/button.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { Dialog, DialogActions } from '#ui/dialog.tsx';
import { MenuItem, MenuSeparator } from '#ui/menu.tsx';
import { SecretDialog, SecretOnce } from '#ui/secret-once.tsx';
import { toast } from '#ui/toast.ts';
import { ViewAsCode } from '#ui/view-as-code.tsx';

interface KeyActionsProps {
  apiKey: ApiKey;
  owner: KeyOwner;
  /** Where the key is gone from: a detail page leads away from itself. */
  onRevoked?: () => void;
  /** Draws the menu with the items in it. */
  children: (items: ReactNode) => ReactNode;
}

/** What can be done with a key: the items of a menu, and the dialogs behind them. */
export function KeyActions({ apiKey, owner, onRevoked, children }: KeyActionsProps) {
  const [open, setOpen] = useState<'rotate' | 'revoke'>();
  const close = () => setOpen(undefined);
  const client = useQueryClient();
  return (
    <>
      {children(
        <>
          <MenuItem icon={<RefreshCw aria-hidden />} onSelect={() => setOpen('rotate')}>
            {apiKey.secrets.length > 1 ? 'Complete rotation' : 'Rotate secret'}
          </MenuItem>
          <MenuSeparator />
          <MenuItem danger icon={<Trash2 aria-hidden />} onSelect={() => setOpen('revoke')}>
            Revoke key
          </MenuItem>
        </>,
      )}
      {open === 'rotate' && <Rotation apiKey={apiKey} onClose={close} />}
      <ConfirmDialog
        open={open === 'revoke'}
        onClose={close}
        title={`Revoke ${apiKey.name}?`}
        action="Revoke key"
        onConfirm={async () => {
          await api.apiKeys.delete(apiKey.id);
          onRevoked?.();
          await client.invalidateQueries(keysQuery(owner));
          toast.done('Key revoked');
        }}
        call={{ method: 'DELETE', path: `/api-keys/${apiKey.id}` }}
      >
        This key and all tokens issued to it stop working within one second. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}

/** A second secret, then, when the program has it, the end of the first: nothing stops meanwhile. */
function Rotation({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const client = useQueryClient();
  const [secret, setSecret] = useState<string>();
  const [older] = apiKey.secrets;
  const refresh = () => client.invalidateQueries({ queryKey: ['keys'] });
  const path = `/api-keys/${apiKey.id}/secrets`;
  const create = useAction({
    run: () => api.apiKeys.createSecret(apiKey.id),
    refresh: [['keys']],
  });
  if (secret !== undefined) {
    return (
      <SecretDialog title="Secret created" onClose={onClose}>
        <p>The previous secret keeps working until you complete the rotation.</p>
        <SecretOnce label="New secret of the key" secret={secret} filename={`${apiKey.name}.txt`} />
      </SecretDialog>
    );
  }
  if (apiKey.secrets.length > 1 && older) {
    return (
      <ConfirmDialog
        open
        onClose={onClose}
        title={`Complete the rotation of ${apiKey.name}?`}
        action="Delete old secret"
        onConfirm={async () => {
          await api.apiKeys.deleteSecret(apiKey.id, older.id);
          await refresh();
          toast.done('Old secret deleted');
        }}
        call={{ method: 'DELETE', path: `${path}/${older.id}` }}
      >
        Clients that still use the old secret, and tokens issued to it, stop working within one second.
      </ConfirmDialog>
    );
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Rotate the secret of ${apiKey.name}?`}
      description="The key gets a second secret. Both work until you complete the rotation."
    >
      <DialogActions aside={<ViewAsCode call={{ method: 'POST', path }} />}>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="primary"
          busy={create.isPending}
          onClick={() => create.mutate(undefined, { onSuccess: (made) => setSecret(made.secret) })}
        >
          Create second secret
        </Button>
      </DialogActions>
    </Dialog>
  );
}
