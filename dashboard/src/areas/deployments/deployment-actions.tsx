import type { Deployment } from '@mainstay/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Share2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { useApplication, useEnvironments } from '#areas/applications/data.ts';
import { isOver } from '#areas/deployments/data.ts';
import { ShareDialog } from '#areas/deployments/share-dialog.tsx';
import { useOrganization } from '#areas/organizations/data.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { Button } from '#ui/button.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { toast } from '#ui/toast.ts';

const listPath = '/o/$slug/apps/$applicationId/deployments' as const;

/** What can be done with a deployment in its state. */
export function DeploymentActions({ deployment }: { deployment: Deployment }) {
  const { id, status, live, applicationId, environmentId } = deployment;
  const { slug } = useOrganization();
  const { defaultEnvironmentSlug } = useApplication();
  const main = useEnvironments().find((one) => one.slug === defaultEnvironmentSlug);
  const can = useCan();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [open, setOpen] = useState<'delete' | 'share' | null>(null);
  const params = { slug, applicationId };
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: ['deployment', id] }),
      queries.invalidateQueries({ queryKey: ['deployments', applicationId] }),
      queries.invalidateQueries({ queryKey: ['hostnames', applicationId] }),
    ]);
  const act = async (work: () => Promise<Deployment>, done: string) => {
    setBusy(true);
    try {
      const after = await work();
      await refresh();
      toast.done(done);
      if (after.id !== id)
        await navigate({ to: `${listPath}/$deploymentId`, params: { ...params, deploymentId: after.id } });
    } catch (error) {
      toast.failed(error);
    } finally {
      setBusy(false);
    }
  };
  const remove = async () => {
    await api.deployments.delete(id);
    toast.done('Deployment deleted');
    await navigate({ to: listPath, params });
    await refresh();
  };
  if (!isOver(deployment))
    return can('cancelDeployment') ? (
      <Button busy={busy} onClick={() => void act(() => api.deployments.cancel(id), 'Deployment canceled')}>
        Cancel
      </Button>
    ) : null;
  return (
    <>
      {status === 'ACTIVE' && !live && can('rollbackDeployment') && (
        <Button
          look="primary"
          busy={busy}
          onClick={() => void act(() => api.deployments.rollback(id), 'Rolled back to this deployment')}
        >
          Roll back to this deployment
        </Button>
      )}
      {status === 'ACTIVE' && can('redeployDeployment') && (
        <Button busy={busy} onClick={() => void act(() => api.deployments.redeploy(id), 'Deployment queued')}>
          Redeploy
        </Button>
      )}
      {status === 'ACTIVE' && main && main.id !== environmentId && can('redeployDeployment') && (
        <Button
          busy={busy}
          onClick={() =>
            void act(() => api.deployments.redeploy(id, { environment: main.id }), 'Deployment queued')
          }
        >
          Promote to {main.name}
        </Button>
      )}
      {status === 'ACTIVE' && can('createShareLink') && (
        <Button onClick={() => setOpen('share')}>
          <Share2 aria-hidden />
          Share
        </Button>
      )}
      {!live && can('deleteDeployment') && (
        <Button onClick={() => setOpen('delete')}>
          <Trash2 aria-hidden />
          Delete
        </Button>
      )}
      {open === 'share' && <ShareDialog deployment={deployment} onClose={() => setOpen(null)} />}
      <ConfirmDialog
        open={open === 'delete'}
        onClose={() => setOpen(null)}
        title={`Delete deployment ${id.slice(-8)}?`}
        action="Delete deployment"
        onConfirm={remove}
        call={{ method: 'DELETE', path: `/deployments/${id}` }}
      >
        Its files, log and hostname are permanently deleted. You can no longer roll back to it.
      </ConfirmDialog>
    </>
  );
}
