import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { applicationQuery, useApplication } from '#areas/applications/data.ts';
import { applicationsKey } from '#areas/applications/queries.ts';
import { organizationsQuery, useOrganization } from '#areas/organizations/data.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { DangerCard } from '#ui/danger-card.tsx';
import { sending, useAppForm } from '#ui/form.tsx';
import { FormDialog } from '#ui/form-dialog.tsx';
import { toast } from '#ui/toast.ts';

export function DangerCards() {
  const can = useCan();
  return (
    <>
      {can('transferApplication') && <TransferCard />}
      {can('deleteApplication') && <DeleteCard />}
    </>
  );
}

function TransferCard() {
  const [isOpen, setOpen] = useState(false);
  const organization = useOrganization();
  const { data: organizations } = useSuspenseQuery(organizationsQuery);
  const others = organizations.filter(({ id }) => id !== organization.id);
  return (
    <Card
      tone="danger"
      title="Transfer the application"
      description={
        others.length === 0
          ? 'You do not own another organization to transfer it to.'
          : 'Move it to another organization that you own, with its keys, variables and domains.'
      }
      actions={
        <Button look="danger" disabled={others.length === 0} onClick={() => setOpen(true)}>
          Transfer
        </Button>
      }
    >
      {isOpen && <TransferDialog onClose={() => setOpen(false)} />}
    </Card>
  );
}

function TransferDialog({ onClose }: { onClose: () => void }) {
  const application = useApplication();
  const organization = useOrganization();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data: organizations } = useSuspenseQuery(organizationsQuery);
  const others = organizations.filter(({ id }) => id !== organization.id);
  const form = useAppForm({
    defaultValues: { organizationId: others[0]?.id ?? '' },
    validators: {
      onSubmitAsync: sending(async ({ organizationId }: { organizationId: string }) => {
        await api.applications.transfer(application.id, organizationId);
        const slug = others.find(({ id }) => id === organizationId)?.slug ?? '';
        client.removeQueries({ queryKey: applicationQuery(application.id).queryKey });
        await client.invalidateQueries({ queryKey: ['applications'] });
        toast.done(`${application.name} transferred`);
        await navigate({
          to: '/o/$slug/apps/$applicationId',
          params: { slug, applicationId: application.id },
        });
      }),
    },
  });
  return (
    <FormDialog
      title={`Transfer ${application.name}`}
      description="Access tokens issued to its keys stop working within a second; clients can get new ones with the same keys. This organization's variables no longer apply."
      form={form}
      submit="Transfer application"
      call={(body: { organizationId: string }) => ({
        method: 'POST',
        path: `/applications/${application.id}/transfer`,
        body,
      })}
      onClose={onClose}
    >
      <form.AppField name="organizationId">
        {(field) => (
          <field.SelectField
            label="To"
            options={others.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
      </form.AppField>
    </FormDialog>
  );
}

function DeleteCard() {
  const application = useApplication();
  const { slug } = useOrganization();
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = async () => {
    await api.applications.delete(application.id);
    // First away from its pages: they would ask for what is gone.
    await navigate({ to: '/o/$slug/apps', params: { slug } });
    const queryKey = applicationsKey(application.organizationId);
    await client.invalidateQueries({ queryKey });
    const undo = async () => {
      await api.applications.restore(application.id);
      await client.invalidateQueries({ queryKey });
      await navigate({
        to: '/o/$slug/apps/$applicationId/settings',
        params: { slug, applicationId: application.id },
      });
    };
    toast.done(`${application.name} deleted`, { label: 'Undo', run: () => void undo() });
  };
  return (
    <DangerCard
      title="Delete the application"
      description="Its keys, deployments, files and cache become unavailable within a second. It can be restored for a limited time before it is purged."
      verb="Delete"
      question={`Delete ${application.name}?`}
      action="Delete application"
      typed={application.slug}
      onConfirm={remove}
      call={{ method: 'DELETE', path: `/applications/${application.id}` }}
    >
      All of its API keys stop working within a second.
    </DangerCard>
  );
}
