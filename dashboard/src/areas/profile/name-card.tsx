import { useQueryClient } from '@tanstack/react-query';
import { idp } from '#api/idp.ts';
import { sessionQuery, usePerson } from '#api/session.ts';
import { Card } from '#ui/card.tsx';
import { Form, sending, useAppForm } from '#ui/form.tsx';
import { toast } from '#ui/toast.ts';

export function NameCard() {
  const { name, givenName, familyName } = usePerson();
  const client = useQueryClient();
  const form = useAppForm({
    defaultValues: { name, givenName: givenName ?? '', familyName: familyName ?? '' },
    validators: {
      onSubmitAsync: sending(async (value: { name: string; givenName: string; familyName: string }) => {
        const body = {
          name: value.name,
          givenName: value.givenName.trim() || null,
          familyName: value.familyName.trim() || null,
        };
        await idp('patch', '/idp/profile', { body });
        await client.invalidateQueries(sessionQuery);
        toast.done('Saved');
      }),
    },
  });
  return (
    <Form form={form} className="">
      <Card
        title="Name"
        footer={
          <>
            <span>Visible to members of your organizations.</span>
            <form.AppForm>
              <form.SubmitButton>Save name</form.SubmitButton>
            </form.AppForm>
          </>
        }
      >
        <div className="grid gap-4 sm:grid-cols-3">
          <form.AppField name="name">
            {(field) => <field.TextField label="Display name" autoComplete="nickname" required />}
          </form.AppField>
          <form.AppField name="givenName">
            {(field) => <field.TextField label="Given name" autoComplete="given-name" />}
          </form.AppField>
          <form.AppField name="familyName">
            {(field) => <field.TextField label="Family name" autoComplete="family-name" />}
          </form.AppField>
        </div>
        <form.AppForm>
          <form.FormError className="mt-4" />
        </form.AppForm>
      </Card>
    </Form>
  );
}
