import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { idp } from '#api/idp.ts';
import { optionsQuery, usePerson } from '#api/session.ts';
import { FreshSession } from '#areas/profile/fresh-session.tsx';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { Notice } from '#ui/error-notice.tsx';
import { Form, sending, useAppForm } from '#ui/form.tsx';

export function EmailCard() {
  const { email, emailVerified } = usePerson();
  const { data: options } = useSuspenseQuery(optionsQuery);
  const [asked, setAsked] = useState<string>();
  const form = useAppForm({
    defaultValues: { newEmail: '' },
    validators: {
      onSubmitAsync: sending(async (body: { newEmail: string }) => {
        await idp('post', '/idp/change-email', { body });
        setAsked(body.newEmail);
      }),
    },
  });
  return (
    <Form form={form} className="">
      <Card
        title="E-mail"
        description="You sign in with it, and e-mail of this instance goes to it."
        {...(options.mail
          ? {
              footer: (
                <>
                  <span>A link goes to the old address first, then one to the new.</span>
                  <form.AppForm>
                    <form.SubmitButton>Change e-mail</form.SubmitButton>
                  </form.AppForm>
                </>
              ),
            }
          : {})}
      >
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium wrap-anywhere">{email}</span>
          {emailVerified ? <Badge tone="success">Confirmed</Badge> : <Badge>Not confirmed</Badge>}
        </p>
        {options.mail ? (
          <div className="mt-4 space-y-4">
            {asked && (
              <Notice>
                Look into the mailbox of {email}: a link there confirms the move to {asked}.
              </Notice>
            )}
            <FreshSession what="To change your address">
              <form.AppField name="newEmail">
                {(field) => <field.TextField label="New e-mail" type="email" autoComplete="email" required />}
              </form.AppField>
            </FreshSession>
            <form.AppForm>
              <form.FormError />
            </form.AppForm>
          </div>
        ) : (
          <p className="mt-2 text-muted">
            This instance sends no mail, so it cannot check another address: yours stays as it is.
          </p>
        )}
      </Card>
    </Form>
  );
}
