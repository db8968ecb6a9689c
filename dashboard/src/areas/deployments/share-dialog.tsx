import type { Deployment } from '@mainstay/sdk';
import { useQuery } from '@tanstack/react-query';
import { useAction } from '#api/action.ts';
import { api } from '#api/client.ts';
import { protectionQuery } from '#areas/deployments/data.ts';
import { Button } from '#ui/button.tsx';
import { CopyTextButton } from '#ui/copy-button.tsx';
import { Dialog, DialogActions } from '#ui/dialog.tsx';

/** A link that lets whoever has it see a protected deployment. */
export function ShareDialog({ deployment, onClose }: { deployment: Deployment; onClose: () => void }) {
  const { id, applicationId, environmentId } = deployment;
  const { data: protection } = useQuery(protectionQuery(applicationId, environmentId));
  const create = useAction({
    run: () => api.environmentProtection.createShareLink(applicationId, environmentId, { deploymentId: id }),
  });
  const link = create.data;
  return (
    <Dialog open onClose={onClose} title="Share this deployment">
      <div className="space-y-4">
        <p className="text-muted">
          {protection?.enabled
            ? 'Its environment is protected. Anyone with the link can view the deployment for seven days without an account.'
            : 'Its environment is public: anyone with the URL can view it. The link keeps working if the environment is protected later.'}
        </p>
        {link && (
          <div className="space-y-2 rounded-md border bg-sunken p-3">
            <output aria-label="Link" className="block font-mono text-xs wrap-anywhere">
              {link.url}
            </output>
            <p className="text-muted">
              Until{' '}
              {new Date(link.expiresAt).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })}
            </p>
          </div>
        )}
      </div>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        {link ? (
          <CopyTextButton look="primary" label="Copy link" text={link.url} />
        ) : (
          <Button look="primary" busy={create.isPending} onClick={() => create.mutate()}>
            Create link
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
