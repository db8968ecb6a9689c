import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '#api/client.ts';
import { organizationsQuery } from '#areas/organizations/data.ts';
import { Card } from '#ui/card.tsx';
import { Form, sending, useAppForm } from '#ui/form.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { ViewAsCode } from '#ui/view-as-code.tsx';

export function NewOrganization() {
  const { data: organizations } = useSuspenseQuery(organizationsQuery);
  const client = useQueryClient();
  const navigate = useNavigate();
  const form = useAppForm({
    defaultValues: { name: '' },
    validators: {
      onSubmitAsync: sending(async (body: { name: string }) => {
        const { slug } = await api.organizations.create(body);
        await client.invalidateQueries(organizationsQuery);
        await navigate({ to: '/o/$slug', params: { slug } });
      }),
    },
  });
  return (
    <div className="mx-auto max-w-lg">
      <PageHeader
        title={organizations.length === 0 ? 'Name your organization' : 'New organization'}
        description="Members, API keys, variables and applications belong to an organization. You become its owner."
      />
      <Card>
        <Form form={form}>
          <form.AppField name="name">
            {(field) => (
              <field.TextField
                label="Name"
                placeholder="Acme"
                autoComplete="organization"
                hint="Your company, a team, or yourself. It can be changed later."
                maxLength={128}
                autoFocus
                required
              />
            )}
          </form.AppField>
          <form.AppForm>
            <form.FormError />
            <div className="flex items-center justify-between gap-2 pt-2">
              <form.Subscribe selector={(state) => state.values}>
                {(body) => <ViewAsCode call={{ method: 'POST', path: '/organizations', body }} />}
              </form.Subscribe>
              <form.SubmitButton>Create organization</form.SubmitButton>
            </div>
          </form.AppForm>
        </Form>
      </Card>
    </div>
  );
}
