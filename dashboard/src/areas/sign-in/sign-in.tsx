import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { hasCode } from '#api/errors.ts';
import { idp } from '#api/idp.ts';
import { optionsQuery } from '#api/session.ts';
import { useEnter } from '#areas/sign-in/data.ts';
import { DoorCard, inlineLink } from '#areas/sign-in/door-card.tsx';
import { OtherWays } from '#areas/sign-in/other-ways.tsx';
import { SecondFactor } from '#areas/sign-in/second-factor.tsx';
import { ErrorNotice, Notice } from '#ui/error-notice.tsx';
import { Form, sending, useAppForm } from '#ui/form.tsx';

const route = getRouteApi('/door/sign-in');

export function SignIn() {
  const { next, error } = route.useSearch();
  const { data: options } = useSuspenseQuery(optionsQuery);
  const [step, setStep] = useState<'password' | 'second factor' | 'unconfirmed'>('password');
  const enter = useEnter();

  if (step === 'second factor') return <SecondFactor onDone={() => enter(next)} />;
  if (options.setup) return <NobodyYet />;
  return (
    <DoorCard
      title="Sign in"
      footer={
        options.signUp === 'open' && (
          <>
            New here?{' '}
            <Link to="/sign-up" search={{ ...(next ? { next } : {}) }} className={inlineLink}>
              Create an account
            </Link>
          </>
        )
      }
    >
      {error && (
        <ErrorNotice
          className="mb-4"
          sentence="Sign-in with the external provider failed. Try again, or use another method."
        />
      )}
      {step === 'unconfirmed' && (
        <div className="mb-4">
          <Notice>Confirm your e-mail address first. We sent you a link.</Notice>
        </div>
      )}
      <PasswordForm
        onSecondFactor={() => setStep('second factor')}
        onUnconfirmed={() => setStep('unconfirmed')}
        onDone={() => enter(next)}
      />
      <OtherWays next={next} provider={options.provider} onDone={() => enter(next)} />
    </DoorCard>
  );
}

function PasswordForm(props: {
  onSecondFactor: () => void;
  onUnconfirmed: () => void;
  onDone: () => Promise<void>;
}) {
  const form = useAppForm({
    defaultValues: { email: '', password: '' },
    validators: {
      onSubmitAsync: sending(async (body: { email: string; password: string }) => {
        try {
          const answer = await idp('post', '/idp/sign-in/email', { body });
          if ('twoFactorRedirect' in answer && answer.twoFactorRedirect) props.onSecondFactor();
          else await props.onDone();
        } catch (error) {
          if (!hasCode(error, 'EMAIL_NOT_VERIFIED')) throw error;
          props.onUnconfirmed();
        }
      }),
    },
  });
  return (
    <Form form={form}>
      <form.AppField name="email">
        {(field) => (
          <field.TextField label="E-mail" type="email" autoComplete="username webauthn" autoFocus required />
        )}
      </form.AppField>
      <form.AppField name="password">
        {(field) => (
          <field.PasswordField
            label="Password"
            autoComplete="current-password"
            required
            aside={
              <Link to="/forgot-password" className={inlineLink}>
                Forgot password?
              </Link>
            }
          />
        )}
      </form.AppField>
      <form.AppForm>
        <form.FormError />
        <form.SubmitButton size="lg" className="w-full">
          Sign in
        </form.SubmitButton>
      </form.AppForm>
    </Form>
  );
}

/** Before the first start is finished, nobody can sign in. */
function NobodyYet() {
  return (
    <DoorCard title="Almost there" description="This instance has no operator yet.">
      <p>
        The server printed a setup link when it started. Open it to create the first operator; it works once.
        To get another link, restart the server.
      </p>
    </DoorCard>
  );
}
