import { PasswordMeter } from '#areas/sign-in/password-meter.tsx';
import { sending, useAppForm } from '#ui/form.tsx';

export interface NewPerson {
  name: string;
  email: string;
  password: string;
}

/** The form of somebody new. */
export function useNewUserForm(submit: (person: NewPerson) => Promise<unknown>) {
  return useAppForm({
    defaultValues: { name: '', email: '', password: '' },
    validators: { onSubmitAsync: sending(submit) },
  });
}

/** Name, address and password. */
export function NewUserFields({ form }: { form: ReturnType<typeof useNewUserForm> }) {
  return (
    <>
      <form.AppField name="name">
        {(field) => <field.TextField label="Your name" autoComplete="name" autoFocus required />}
      </form.AppField>
      <form.AppField name="email">
        {(field) => <field.TextField label="E-mail" type="email" autoComplete="username" required />}
      </form.AppField>
      <div>
        <form.AppField name="password">
          {(field) => <field.PasswordField label="Password" autoComplete="new-password" required />}
        </form.AppField>
        <form.Subscribe selector={(state) => state.values}>
          {(values) => <PasswordMeter {...values} />}
        </form.Subscribe>
      </div>
    </>
  );
}
