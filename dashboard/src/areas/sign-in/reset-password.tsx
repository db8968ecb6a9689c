import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { idp } from '#api/idp.ts';
import { MadeKeys } from '#areas/keys/made-keys.tsx';
import { takeToken } from '#areas/sign-in/data.ts';
import { DoorCard, inlineLink } from '#areas/sign-in/door-card.tsx';
import { PasswordMeter } from '#areas/sign-in/password-meter.tsx';
import { Form, sending, useAppForm } from '#ui/form.tsx';
import { toast } from '#ui/toast.ts';

/** A new password, by the link of a letter or of an operator. */
export function ResetPassword() {
  const [token] = useState(takeToken);
  const [keepApiKeys, setKeep] = useState(false);
  const navigate = useNavigate();
  const form = useAppForm({
    defaultValues: { newPassword: '' },
    validators: {
      onSubmitAsync: sending(async ({ newPassword }: { newPassword: string }) => {
        await idp('post', '/idp/reset-password', { body: { token, newPassword, keepApiKeys } });
        toast.done('Password set. Sign in with it.');
        await navigate({ to: '/sign-in' });
      }),
    },
  });
  if (token === '') {
    return (
      <DoorCard title="This link is incomplete">
        Open it again from the e-mail, or{' '}
        <Link to="/forgot-password" className={inlineLink}>
          request a new link
        </Link>
        .
      </DoorCard>
    );
  }
  return (
    <DoorCard
      title="New password"
      description="You are signed out everywhere, and OAuth apps lose their access."
    >
      <Form form={form}>
        <form.AppField name="newPassword">
          {(field) => (
            <field.PasswordField label="New password" autoComplete="new-password" autoFocus required />
          )}
        </form.AppField>
        <form.Subscribe selector={(state) => state.values.newPassword}>
          {(password) => <PasswordMeter password={password} />}
        </form.Subscribe>
        <MadeKeys
          of={token}
          // A link that is over is said by the form, once.
          load={(signal) =>
            idp('post', '/idp/reset-password/api-keys', { body: { token }, signal }).catch(() => ({
              items: [],
            }))
          }
          keep={keepApiKeys}
          onKeepChange={setKeep}
        />
        <form.AppForm>
          <form.FormError />
          <form.SubmitButton size="lg" className="w-full">
            Set password
          </form.SubmitButton>
        </form.AppForm>
      </Form>
    </DoorCard>
  );
}
