import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '#api/client.ts';
import { organizationsQuery, useOrganization } from '#areas/organizations/data.ts';
import { ImageCard } from '#areas/organizations/image-card.tsx';
import { useCan } from '#areas/organizations/permissions.ts';
import { SettingsTabs } from '#areas/organizations/settings-tabs.tsx';
import { Card } from '#ui/card.tsx';
import { Mono } from '#ui/code-block.tsx';
import { DangerCard } from '#ui/danger-card.tsx';
import { Notice } from '#ui/error-notice.tsx';
import { sending, useAppForm } from '#ui/form.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { SettingsCard } from '#ui/settings-card.tsx';
import { toast } from '#ui/toast.ts';

export function OrganizationSettings() {
  const organization = useOrganization();
  const can = useCan();
  const path = `/organizations/${organization.id}`;
  return (
    <>
      <PageHeader title="Settings" call={{ method: 'GET', path }} />
      <SettingsTabs />
      <div className="space-y-6">
        {!can('updateOrganization') && <Notice>Only owners can change these settings.</Notice>}
        {can('updateOrganization') && <NameCard key={organization.id} />}
        {can('setOrganizationImage') && <ImageCard />}
        <Card
          title="Organization ID"
          description="Identifies the organization in the API. It cannot be changed."
        >
          <Mono copy>{organization.id}</Mono>
        </Card>
        {can('deleteOrganization') && <DeleteCard />}
      </div>
    </>
  );
}

function NameCard() {
  const organization = useOrganization();
  const client = useQueryClient();
  const navigate = useNavigate();
  const path = `/organizations/${organization.id}`;
  const form = useAppForm({
    defaultValues: { name: organization.name, slug: organization.slug },
    validators: {
      onSubmitAsync: sending(async (body) => {
        const changed = await api.organizations.update(organization.id, body);
        client.setQueryData(organizationsQuery.queryKey, (old) =>
          old?.map((one) => (one.id === changed.id ? changed : one)),
        );
        toast.done('Saved');
        await navigate({ to: '/o/$slug/settings', params: { slug: changed.slug }, replace: true });
      }),
    },
  });
  return (
    <SettingsCard
      title="Name and slug"
      form={form}
      call={(body: object) => ({ method: 'PATCH', path, body })}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <form.AppField name="name">
          {(field) => <field.TextField label="Name" maxLength={128} required />}
        </form.AppField>
        <form.AppField name="slug">
          {(field) => (
            <field.TextField
              label="Slug"
              mono
              required
              hint={`Part of the URL of its pages: ${location.host}/o/…`}
            />
          )}
        </form.AppField>
      </div>
    </SettingsCard>
  );
}

function DeleteCard() {
  const organization = useOrganization();
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = async () => {
    await api.organizations.delete(organization.id);
    // First away from its pages: they would ask for what is gone.
    await navigate({ to: '/o' });
    await client.invalidateQueries(organizationsQuery);
    const undo = async () => {
      await api.organizations.restore(organization.id);
      await client.invalidateQueries(organizationsQuery);
      await navigate({ to: '/o/$slug/settings', params: { slug: organization.slug } });
    };
    toast.done(`${organization.name} deleted`, { label: 'Undo', run: () => void undo() });
  };
  return (
    <DangerCard
      title="Delete the organization"
      description="Its keys stop working within a second. Owners can restore it for a limited time before it is purged with everything that belongs to it."
      verb="Delete"
      question={`Delete ${organization.name}?`}
      action="Delete organization"
      typed={organization.slug}
      onConfirm={remove}
      call={{ method: 'DELETE', path: `/organizations/${organization.id}` }}
    >
      All API keys of the organization and its applications stop working within a second, for all members.
    </DangerCard>
  );
}
