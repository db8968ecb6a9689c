import { createFormHook } from '@tanstack/react-form';
import type { FormEvent, ReactNode } from 'react';
import { fieldOf, sentenceOf } from '#api/errors.ts';
import { fieldContext, formContext } from '#ui/form-context.ts';
import {
  CheckboxField,
  FormError,
  PasswordField,
  SelectField,
  SubmitButton,
  TextAreaField,
  TextField,
} from '#ui/form-fields.tsx';

/**
 * A form by TanStack Form with our fields: `form.AppField`, `form.SubmitButton`, `form.FormError`. Its rules are the
 * API's: `submit` sends it, and `sending` puts what the API says to the field that it names.
 */
export const { useAppForm } = createFormHook({
  fieldContext,
  formContext,
  fieldComponents: { TextField, PasswordField, TextAreaField, SelectField, CheckboxField },
  formComponents: { SubmitButton, FormError },
});

/** `validators: { onSubmitAsync: sending((value) => ...) }`: submits, and shows what the API refuses where it belongs. */
export function sending<Values extends object>(submit: (value: Values) => Promise<unknown>) {
  return async ({ value }: { value: Values }) => {
    try {
      await submit(value);
      return undefined;
    } catch (error) {
      const sentence = sentenceOf(error);
      const field = fieldOf(error);
      if (field !== undefined && field in value) return { form: undefined, fields: { [field]: sentence } };
      return { form: { error }, fields: {} };
    }
  };
}

/** The element around the fields. */
export function Form({
  form,
  children,
  className,
}: {
  form: { handleSubmit: () => Promise<unknown> };
  children: ReactNode;
  className?: string;
}) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A form in a dialog that stands, for React, inside another form.
    event.stopPropagation();
    void form.handleSubmit();
  };
  return (
    <form onSubmit={submit} className={className ?? 'space-y-4'}>
      {children}
    </form>
  );
}
