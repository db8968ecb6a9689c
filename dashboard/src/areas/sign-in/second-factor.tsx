import { useState } from 'react';
import { idp } from '#api/idp.ts';
import { DoorCard, inlineLink } from '#areas/sign-in/door-card.tsx';
import { Form, sending, useAppForm } from '#ui/form.tsx';

/** After the password: a code of the authenticator app, or a recovery code. */
export function SecondFactor({ onDone }: { onDone: () => Promise<void> }) {
  const [isRecovery, setRecovery] = useState(false);
  const form = useAppForm({
    defaultValues: { code: '', trustDevice: false },
    validators: {
      onSubmitAsync: sending(async ({ code, trustDevice }: { code: string; trustDevice: boolean }) => {
        const body = { code: code.trim(), ...(trustDevice ? { trustDevice } : {}) };
        await idp('post', isRecovery ? '/idp/two-factor/verify-backup-code' : '/idp/two-factor/verify-totp', {
          body,
        });
        await onDone();
      }),
    },
  });
  const text = isRecovery
    ? {
        label: 'Recovery code',
        description: 'One of the recovery codes that you saved. Each works once.',
      }
    : { label: 'Code', description: 'Six digits from your authenticator app.' };
  return (
    <DoorCard
      title="Two-factor authentication"
      description={text.description}
      footer={
        <button
          type="button"
          className={inlineLink}
          onClick={() => {
            form.reset();
            setRecovery(!isRecovery);
          }}
        >
          {isRecovery ? 'Use the authenticator app' : 'Use a recovery code'}
        </button>
      }
    >
      <Form form={form}>
        <form.AppField name="code">
          {(field) => (
            <field.TextField
              key={text.label}
              label={text.label}
              mono
              autoComplete="one-time-code"
              {...(isRecovery ? {} : { inputMode: 'numeric' as const })}
              autoFocus
              required
            />
          )}
        </form.AppField>
        <form.AppField name="trustDevice">
          {(field) => <field.CheckboxField label="Do not ask again in this browser for 30 days" />}
        </form.AppField>
        <form.AppForm>
          <form.FormError />
          <form.SubmitButton size="lg" className="w-full">
            Go on
          </form.SubmitButton>
        </form.AppForm>
      </Form>
    </DoorCard>
  );
}
