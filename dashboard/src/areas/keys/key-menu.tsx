import type { ApiKey } from '@mainstay/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { Ellipsis, Info, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { type KeyOwner, keysQuery } from '#areas/keys/data.ts';
import { Button, IconButton } from '#ui/button.tsx';
import { Mono } from '#ui/code-block.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { Dialog, DialogActions } from '#ui/dialog.tsx';
import { Facts } from '#ui/facts.tsx';
import { Menu, MenuItem, MenuSeparator } from '#ui/menu.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { SecretOnce } from '#ui/secret-once.tsx';
import { toast } from '#ui/toast.tsx';

interface OneProps {
  apiKey: ApiKey;
  owner: KeyOwner;
}

export function KeyMenu({ apiKey, owner }: OneProps) {
  const [open, setOpen] = useState<'details' | 'rotate' | 'revoke'>();
  const close = () => setOpen(undefined);
  return (
    <>
      <Menu
        trigger={
          <IconButton size="sm" label={`Actions for ${apiKey.name}`} icon={<Ellipsis aria-hidden />} />
        }
      >
        <MenuItem icon={<Info aria-hidden />} onSelect={() => setOpen('details')}>
          Details
        </MenuItem>
        <MenuItem icon={<RefreshCw aria-hidden />} onSelect={() => setOpen('rotate')}>
          Rotate
        </MenuItem>
        <MenuSeparator />
        <MenuItem danger icon={<Trash2 aria-hidden />} onSelect={() => setOpen('revoke')}>
          Revoke
        </MenuItem>
      </Menu>
      <Details apiKey={apiKey} open={open === 'details'} onClose={close} />
      {open === 'rotate' && <Rotation apiKey={apiKey} owner={owner} onClose={close} />}
      <Revocation apiKey={apiKey} owner={owner} open={open === 'revoke'} onClose={close} />
    </>
  );
}

function Details({ apiKey, open, onClose }: { apiKey: ApiKey; open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title={apiKey.name} wide>
      <Facts
        facts={[
          [
            'Client id',
            <Mono key="id" copy>
              {apiKey.id}
            </Mono>,
          ],
          ['Created', <RelativeTime key="created" time={apiKey.createdAt} />],
          ['Last used', <RelativeTime key="used" time={apiKey.lastUsedAt} />],
          ['Expires', <RelativeTime key="expires" time={apiKey.expiresAt} />],
          ['Addresses', apiKey.allowedAddresses.join(', ') || 'Any'],
          [
            'Scopes',
            <span key="scopes" className="font-mono text-xs">
              {apiKey.scopes.join(' ')}
            </span>,
          ],
        ]}
      />
    </Dialog>
  );
}

/** A second secret, then, when the program has it, the end of the first: nothing stops meanwhile. */
function Rotation({ apiKey, owner, onClose }: OneProps & { onClose: () => void }) {
  const client = useQueryClient();
  const [secret, setSecret] = useState<string>();
  const [older] = apiKey.secrets;
  const refresh = () => client.invalidateQueries(keysQuery(owner));
  if (secret !== undefined) {
    return (
      <Dialog
        open
        onClose={onClose}
        sticky
        title="The new secret"
        description="The old one works until you end it."
      >
        <SecretOnce label="New secret of the key" secret={secret} />
        <DialogActions>
          <Button look="primary" onClick={onClose}>
            I have copied it
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  if (apiKey.secrets.length > 1 && older) {
    return (
      <ConfirmDialog
        open
        onClose={onClose}
        title={`End the old secret of ${apiKey.name}?`}
        action="End the old secret"
        onConfirm={async () => {
          await api.apiKeys.deleteSecret(apiKey.id, older.id);
          await refresh();
          toast.done('The rotation is complete');
        }}
        call={{ method: 'DELETE', path: `/api-keys/${apiKey.id}/secrets/${older.id}` }}
      >
        It has two. Programs that still use the older one are refused from now on, with the tokens they got by
        it.
      </ConfirmDialog>
    );
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Rotate ${apiKey.name}?`}
      description="It gets a second secret. Both work until you come back here and end the old one."
    >
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="primary"
          onClick={() =>
            void api.apiKeys.createSecret(apiKey.id).then(
              async (made) => {
                setSecret(made.secret);
                await refresh();
              },
              (error: Error) => toast.problem(error.message),
            )
          }
        >
          Make a second secret
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Revocation({ apiKey, owner, open, onClose }: OneProps & { open: boolean; onClose: () => void }) {
  const client = useQueryClient();
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Revoke ${apiKey.name}?`}
      action="Revoke key"
      onConfirm={async () => {
        await api.apiKeys.delete(apiKey.id);
        await client.invalidateQueries(keysQuery(owner));
        toast.done(`${apiKey.name} is revoked`);
      }}
      call={{ method: 'DELETE', path: `/api-keys/${apiKey.id}` }}
    >
      Programs that use it are refused within a second, and so are its tokens. It cannot be brought back.
    </ConfirmDialog>
  );
}
