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
      <DoorCard title="Forgotten password" footer={footer}>
        This instance sends no letters. Ask its operator for a link that sets a new password.
      </DoorCard>
    );
  }
  if (sentTo !== undefined) {
    return (
      <DoorCard title="Look into your mailbox" footer={footer}>
        If <strong className="font-medium">{sentTo}</strong> has an account here, an e-mail with a link is on
        its way to it.
      </DoorCard>
    );
  }
  return (
    <DoorCard
      title="Forgotten password"
      description="We send you a link that sets a new one."
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
            Send the link
          </form.SubmitButton>
        </form.AppForm>
      </Form>
    </DoorCard>
  );
}
