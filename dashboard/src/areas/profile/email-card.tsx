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
        description="Used to sign in and to receive e-mail from this instance."
        {...(options.mail
          ? {
              footer: (
                <>
                  <span>
                    You confirm the change by a link sent to your current address, then by one sent to the new
                    address.
                  </span>
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
                Check the inbox of {email}for a link that confirms the change to {asked}.
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
            This instance does not send e-mail, so it cannot verify a new address. Your address cannot be
            changed.
          </p>
        )}
      </Card>
    </Form>
  );
}
