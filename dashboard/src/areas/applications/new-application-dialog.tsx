import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '#api/client.ts';
import { applicationsKey } from '#areas/applications/queries.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { sending, useAppForm } from '#ui/form.tsx';
import { FormDialog } from '#ui/form-dialog.tsx';
import { toast } from '#ui/toast.ts';

interface Values {
  name: string;
  rootDirectory: string;
}

export function NewApplicationDialog({ onClose }: { onClose: () => void }) {
  const { id: organizationId, slug } = useOrganization();
  const client = useQueryClient();
  const navigate = useNavigate();
  const bodyOf = ({ name, rootDirectory }: Values) => ({
    organizationId,
    name,
    ...(rootDirectory.trim() === '' ? {} : { rootDirectory: rootDirectory.trim() }),
  });
  const form = useAppForm({
    defaultValues: { name: '', rootDirectory: '' },
    validators: {
      onSubmitAsync: sending(async (values: Values) => {
        const { id, name } = await api.applications.create(bodyOf(values));
        await client.invalidateQueries({ queryKey: applicationsKey(organizationId) });
        toast.done(`${name} created`);
        await navigate({ to: '/o/$slug/apps/$applicationId', params: { slug, applicationId: id } });
      }),
    },
  });
  return (
    <FormDialog
      title="New application"
      description="Starts with the environments Production and Preview, and a hostname based on its name."
      form={form}
      submit="Create application"
      call={(values: Values) => ({ method: 'POST', path: '/applications', body: bodyOf(values) })}
      onClose={onClose}
    >
      <form.AppField name="name">
        {(field) => (
          <field.TextField
            label="Name"
            placeholder="web"
            maxLength={128}
            autoComplete="off"
            autoFocus
            required
          />
        )}
      </form.AppField>
      <form.AppField name="rootDirectory">
        {(field) => (
          <field.TextField
            label="Root directory (optional)"
            mono
            placeholder="apps/web"
            autoComplete="off"
            hint="For monorepos: the folder of this application."
          />
        )}
      </form.AppField>
    </FormDialog>
  );
}
