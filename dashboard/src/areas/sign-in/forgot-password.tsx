import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { idp } from '#api/idp.ts';
import { optionsQuery } from '#api/session.ts';
import { DoorCard, inlineLink } from '#areas/sign-in/door-card.tsx';
import { Form, sending, useAppForm } from '#ui/form.tsx';

/** Asks for a letter with a link. The answer is the same for every address. */
export function ForgotPassword() {
  const { data: options } = useSuspenseQuery(optionsQuery);
  const [sentTo, setSentTo] = useState<string>();
  const form = useAppForm({
    defaultValues: { email: '' },
    validators: {
      onSubmitAsync: sending(async ({ email }: { email: string }) => {
        await idp('post', '/idp/request-password-reset', { body: { email } });
        setSentTo(email);
      }),
    },
  });
  const footer = (
    <Link to="/sign-in" className={inlineLink}>
      Back to sign in
    </Link>
  );
  if (!options.mail) {
    return (
      <DoorCard title="Reset your password" footer={footer}>
        This instance does not send e-mail. Ask its operator for a password reset link.
      </DoorCard>
    );
  }
  if (sentTo !== undefined) {
    return (
      <DoorCard title="Check your inbox" footer={footer}>
        If <strong className="font-medium">{sentTo}</strong> has an account, we sent it an e-mail with a link.
      </DoorCard>
    );
  }
  return (
    <DoorCard
      title="Reset your password"
      description="We will send you a link to set a new password."
      footer={footer}
    >
      <Form form={form}>
        <form.AppField name="email">
          {(field) => (
            <field.TextField label="E-mail" type="email" autoComplete="username" autoFocus required />
          )}
        </form.AppField>
        <form.AppForm>
          <form.FormError />
          <form.SubmitButton size="lg" className="w-full">
            Send reset link
          </form.SubmitButton>
        </form.AppForm>
      </Form>
    </DoorCard>
  );
}
