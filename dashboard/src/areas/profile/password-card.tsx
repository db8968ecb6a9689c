import { useQueryClient } from '@tanstack/react-query';
import { idp } from '#api/idp.ts';
import { usePerson } from '#api/session.ts';
import { sessionsQuery } from '#areas/profile/data.ts';
import { PasswordMeter } from '#areas/sign-in/password-meter.tsx';
import { Card } from '#ui/card.tsx';
import { Form, sending, useAppForm } from '#ui/form.tsx';
import { toast } from '#ui/toast.ts';

interface PasswordChange {
  currentPassword: string;
  newPassword: string;
}

export function PasswordCard() {
  const { email, name, hasPassword } = usePerson();
  const client = useQueryClient();
  const form = useAppForm({
    defaultValues: { currentPassword: '', newPassword: '' },
    validators: {
      onSubmitAsync: sending(async (body: PasswordChange) => {
        await idp('post', '/idp/change-password', { body });
        form.reset();
        await client.invalidateQueries(sessionsQuery);
        toast.done('Password changed. You are signed out everywhere else.');
      }),
    },
  });
  if (!hasPassword) {
    return (
      <Card
        title="Password"
        description="You sign in without a password. To set one, sign out and choose “Forgot password?” on the sign-in page."
      />
    );
  }
  return (
    <Form form={form} className="">
      <Card
        title="Password"
        description="Changing it signs you out everywhere else, OAuth apps included."
        footer={
          <form.AppForm>
            <form.SubmitButton>Change password</form.SubmitButton>
          </form.AppForm>
        }
      >
        {/* For programs that keep passwords: whose it is. */}
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <div className="grid gap-4 sm:grid-cols-2">
          <form.AppField name="currentPassword">
            {(field) => (
              <field.PasswordField label="Current password" autoComplete="current-password" required />
            )}
          </form.AppField>
          <div>
            <form.AppField name="newPassword">
              {(field) => <field.PasswordField label="New password" autoComplete="new-password" required />}
            </form.AppField>
            <form.Subscribe selector={(state) => state.values.newPassword}>
              {(password) => <PasswordMeter password={password} email={email} name={name} />}
            </form.Subscribe>
          </div>
        </div>
        <form.AppForm>
          <form.FormError className="mt-4" />
        </form.AppForm>
      </Card>
    </Form>
  );
}
