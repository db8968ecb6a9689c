import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { idp } from '#api/idp.ts';
import { optionsQuery } from '#api/session.ts';
import { useEnter } from '#areas/sign-in/data.ts';
import { DoorCard, inlineLink } from '#areas/sign-in/door-card.tsx';
import { NewUserFields, useNewUserForm } from '#areas/sign-in/new-user-fields.tsx';
import { Form } from '#ui/form.tsx';

const route = getRouteApi('/door/sign-up');
const closed = {
  invited: 'Sign-up is by invitation only. Ask a member of an organization to invite you.',
  closed: 'Sign-up is disabled on this instance. Contact its operator.',
};

export function SignUp() {
  const { next } = route.useSearch();
  const { data: options } = useSuspenseQuery(optionsQuery);
  const [sentTo, setSentTo] = useState<string>();
  const enter = useEnter();
  const form = useNewUserForm(async (body) => {
    const { verification } = await idp('post', '/idp/sign-up/email', { body });
    if (verification === 'mail') {
      setSentTo(body.email);
      return;
    }
    const { email, password } = body;
    await idp('post', '/idp/sign-in/email', { body: { email, password } });
    await enter(next);
  });
  const footer = (
    <>
      Already have an account?{' '}
      <Link to="/sign-in" search={{ ...(next ? { next } : {}) }} className={inlineLink}>
        Sign in
      </Link>
    </>
  );
  if (sentTo !== undefined) {
    return (
      <DoorCard title="Check your inbox" footer={footer}>
        If <strong className="font-medium">{sentTo}</strong> can be used, we sent it an e-mail. Confirm the
        address with its link, then sign in.
      </DoorCard>
    );
  }
  // Who was invited comes from the page of the invitation.
  if (options.signUp === 'closed' || (options.signUp === 'invited' && !next?.startsWith('/invitation'))) {
    return (
      <DoorCard title="Sign-up is disabled" footer={footer}>
        {closed[options.signUp]}
      </DoorCard>
    );
  }
  return (
    <DoorCard title="Create an account" footer={footer}>
      <Form form={form}>
        <NewUserFields form={form} />
        <form.AppForm>
          <form.FormError />
          <form.SubmitButton size="lg" className="w-full">
            Create account
          </form.SubmitButton>
        </form.AppForm>
      </Form>
    </DoorCard>
  );
}
