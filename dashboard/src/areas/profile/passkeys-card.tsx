import type { Passkey } from '@mainstay/sdk';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Fingerprint, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '#api/action.ts';
import { idp } from '#api/idp.ts';
import { sessionQuery } from '#api/session.ts';
import { passkeysQuery } from '#areas/profile/data.ts';
import { FreshSession } from '#areas/profile/fresh-session.tsx';
import { addPasskey, passkeyProblem } from '#areas/profile/passkey.ts';
import { RenamePasskeyDialog } from '#areas/profile/rename-passkey-dialog.tsx';
import { Badge } from '#ui/badge.tsx';
import { Button, IconButton } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { toast } from '#ui/toast.ts';

export function PasskeysCard() {
  const { data: passkeys } = useSuspenseQuery(passkeysQuery);
  const [added, setAdded] = useState<Passkey>();
  const { mutate, isPending, error } = useAction({
    run: async () => setAdded(await addPasskey()),
    refresh: [passkeysQuery.queryKey, sessionQuery.queryKey],
    quiet: true,
  });
  return (
    <Card
      title="Passkeys"
      description="Sign in with the fingerprint, face or PIN of a device, or with a security key. Passkeys are resistant to phishing."
    >
      {passkeys.length > 0 && (
        <ul className="mb-4 divide-y rounded-md border" aria-label="Passkeys">
          {passkeys.map((passkey) => (
            <Line key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      {passkeys.length === 0 && (
        <p className="mb-4 text-muted">
          None yet. Add one for each device that you use, so that you do not lose access with a device.
        </p>
      )}
      {error && <ErrorNotice className="mb-4" error={error} sentence={passkeyProblem(error)} />}
      <FreshSession what="To add a passkey">
        <Button busy={isPending} onClick={() => mutate()}>
          <Plus aria-hidden />
          Add a passkey
        </Button>
      </FreshSession>
      {added && <RenamePasskeyDialog passkey={added} isNew onClose={() => setAdded(undefined)} />}
    </Card>
  );
}

function Line({ passkey }: { passkey: Passkey }) {
  const [open, setOpen] = useState<'rename' | 'remove'>();
  const client = useQueryClient();
  const name = passkey.name || 'Passkey';
  const close = () => setOpen(undefined);
  return (
    <li className="flex items-center gap-3 px-3 py-2">
      <Fingerprint aria-hidden className="size-4 shrink-0 text-faint" />
      <span className="min-w-0 flex-1 leading-4">
        <span className="block truncate font-medium">{name}</span>
        <span className="text-xs text-faint">
          Added <RelativeTime time={passkey.createdAt} />
        </span>
      </span>
      <span className="max-sm:hidden">
        {passkey.backedUp ? <Badge>Synced</Badge> : <Badge>One device</Badge>}
      </span>
      <span className="flex">
        <IconButton
          size="sm"
          label={`Rename ${name}`}
          icon={<Pencil aria-hidden />}
          onClick={() => setOpen('rename')}
        />
        <IconButton
          size="sm"
          label={`Remove ${name}`}
          icon={<Trash2 aria-hidden />}
          onClick={() => setOpen('remove')}
        />
      </span>
      {open === 'rename' && <RenamePasskeyDialog passkey={passkey} onClose={close} />}
      <ConfirmDialog
        open={open === 'remove'}
        onClose={close}
        title={`Remove ${name}?`}
        action="Remove passkey"
        onConfirm={async () => {
          await idp('post', '/idp/passkey/delete-passkey', { body: { id: passkey.id } });
          await Promise.all([
            client.invalidateQueries(passkeysQuery),
            client.invalidateQueries(sessionQuery),
          ]);
          toast.done(`${name} removed`);
        }}
      >
        It can no longer be used to sign in. Remove it from the device too.
      </ConfirmDialog>
    </li>
  );
}
