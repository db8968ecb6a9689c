import type { Environment } from '@mainstay/sdk';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useAction } from '#api/action.ts';
import { api } from '#api/client.ts';
import { protectionQuery } from '#areas/deployments/data.ts';
import { Button } from '#ui/button.tsx';
import { Dialog, DialogActions } from '#ui/dialog.tsx';
import { Field, Input } from '#ui/field.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { SecretOnce } from '#ui/secret-once.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

/** Who may see the deployments of an environment. */
export function ProtectionDialog({
  environment,
  onClose,
}: {
  environment: Environment;
  onClose: () => void;
}) {
  const { id, applicationId, name } = environment;
  const query = protectionQuery(applicationId, id);
  const { data: protection } = useQuery(query);
  const [password, setPassword] = useState('');
  const refresh = [query.queryKey];
  const update = useAction({
    run: (body: { enabled?: boolean; password?: string | null }) =>
      api.environmentProtection.update(applicationId, id, body),
    ...{ refresh, done: 'Saved' },
  });
  const bypass = useAction({
    run: () => api.environmentProtection.createBypass(applicationId, id),
    refresh,
  });
  const endBypass = useAction({
    run: () => api.environmentProtection.deleteBypass(applicationId, id),
    ...{ refresh, done: 'Token deleted' },
  });
  const endLinks = useAction({
    run: () => api.environmentProtection.endShareLinks(applicationId, id),
    done: 'Share links revoked',
  });
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={`Protection of ${name}`}
      description="Deployments of a protected environment are visible only to members and people with whom they are shared."
    >
      {protection ? (
        <div className="divide-y">
          <Row title={protection.enabled ? 'Protected' : 'Public'} text="Members sign in on this instance.">
            <Button
              look={protection.enabled ? 'secondary' : 'primary'}
              busy={update.isPending}
              onClick={() => update.mutate({ enabled: !protection.enabled })}
            >
              {protection.enabled ? 'Turn off' : 'Protect'}
            </Button>
          </Row>
          <form
            className="flex flex-wrap items-end gap-2 py-4"
            onSubmit={(event) => {
              event.preventDefault();
              update.mutate({ password }, { onSuccess: () => setPassword('') });
            }}
          >
            <Field
              label="Password"
              hint={
                protection.hasPassword
                  ? 'One is set. A new one replaces it.'
                  : 'Anyone with this password can view deployments.'
              }
              className="min-w-56 flex-1"
            >
              <Input
                type="password"
                autoComplete="new-password"
                minLength={8}
                maxLength={256}
                required
                value={password}
                onChange={({ target }) => setPassword(target.value)}
              />
            </Field>
            <Button type="submit" busy={update.isPending}>
              Set password
            </Button>
            {protection.hasPassword && (
              <Button onClick={() => update.mutate({ password: null })}>Remove password</Button>
            )}
          </form>
          <Row
            title="Automation bypass token"
            text={
              protection.bypassCreatedAt ? (
                <>
                  Created <RelativeTime time={protection.bypassCreatedAt} />. Sent as
                  x-mainstay-protection-bypass.
                </>
              ) : (
                'Tests and monitors send it as x-mainstay-protection-bypass.'
              )
            }
          >
            {protection.bypassCreatedAt && (
              <Button busy={endBypass.isPending} onClick={() => endBypass.mutate()}>
                Delete token
              </Button>
            )}
            <Button busy={bypass.isPending} onClick={() => bypass.mutate()}>
              {protection.bypassCreatedAt ? 'Replace token' : 'Create token'}
            </Button>
          </Row>
          {bypass.data && (
            <div className="py-4">
              <SecretOnce label="Token" secret={bypass.data.token} filename="protection-bypass.txt" />
            </div>
          )}
          <Row title="Share links" text="Revokes all share links. All visitors have to sign in again.">
            <Button busy={endLinks.isPending} onClick={() => endLinks.mutate()}>
              Revoke share links
            </Button>
          </Row>
        </div>
      ) : (
        <Skeleton className="h-60" />
      )}
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  );
}

function Row({ title, text, children }: { title: string; text: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-2 py-4 first:pt-0">
      <div className="mr-auto min-w-0">
        <h3 className="font-medium">{title}</h3>
        <p className="text-muted">{text}</p>
      </div>
      {children}
    </div>
  );
}
