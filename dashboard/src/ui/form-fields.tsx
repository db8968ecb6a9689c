import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, lazy, type ReactNode, Suspense, useState } from 'react';
import { Button, IconButton } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Field, type FieldProps, Input, Textarea } from '#ui/field.tsx';
import { useFieldContext, useFormContext } from '#ui/form-context.ts';
import type { Option } from '#ui/select.tsx';

/** Loaded where a form has one: the page at the door has none. */
const Select = lazy(async () => ({ default: (await import('#ui/select.tsx')).Select<string> }));
const Checkbox = lazy(async () => ({ default: (await import('#ui/toggle.tsx')).Checkbox }));

type FormFieldProps = Omit<FieldProps, 'error'>;

/** The field's first error; they are sentences. */
function useError(): string | undefined {
  const [error] = useFieldContext().state.meta.errors as (string | undefined)[];
  return error;
}

type InputAttributes = Pick<
  ComponentProps<'input'>,
  | 'type'
  | 'autoComplete'
  | 'placeholder'
  | 'required'
  | 'autoFocus'
  | 'inputMode'
  | 'maxLength'
  | 'spellCheck'
  | 'pattern'
>;

export function TextField({ label, hint, aside, hideLabel, className, mono, ...input }: TextFieldProps) {
  const field = useFieldContext<string>();
  return (
    <Field {...{ label, hint, aside, className, error: useError() }} {...(hideLabel ? { hideLabel } : {})}>
      <Input
        {...input}
        name={field.name}
        value={field.state.value}
        onValueChange={(value) => field.handleChange(value)}
        onBlur={field.handleBlur}
        {...(mono ? { className: 'font-mono text-xs', spellCheck: false } : {})}
      />
    </Field>
  );
}
type TextFieldProps = FormFieldProps & InputAttributes & { mono?: boolean };

export function PasswordField({ label, hint, aside, className, ...input }: FormFieldProps & InputAttributes) {
  const field = useFieldContext<string>();
  const [isShown, setShown] = useState(false);
  return (
    <Field {...{ label, hint, aside, className, error: useError() }}>
      <div className="relative">
        <Input
          {...input}
          type={isShown ? 'text' : 'password'}
          name={field.name}
          className="pr-10"
          value={field.state.value}
          onValueChange={(value) => field.handleChange(value)}
          onBlur={field.handleBlur}
        />
        <IconButton
          size="sm"
          className="absolute top-0.5 right-0.5 w-8! pointer-coarse:top-0.5"
          label={isShown ? 'Hide the password' : 'Show the password'}
          onClick={() => setShown(!isShown)}
          icon={isShown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
        />
      </div>
    </Field>
  );
}

export function TextAreaField({
  label,
  hint,
  aside,
  className,
  mono,
  ...rest
}: FormFieldProps & { mono?: boolean; rows?: number; placeholder?: string; required?: boolean }) {
  const field = useFieldContext<string>();
  return (
    <Field {...{ label, hint, aside, className, error: useError() }}>
      <Textarea
        {...rest}
        name={field.name}
        value={field.state.value}
        onChange={(event) => field.handleChange(event.target.value)}
        onBlur={field.handleBlur}
        {...(mono ? { className: 'font-mono text-xs', spellCheck: false } : {})}
      />
    </Field>
  );
}

export function SelectField({ options, ...rest }: FormFieldProps & { options: readonly Option<string>[] }) {
  const field = useFieldContext<string>();
  return (
    <Field {...rest} error={useError()}>
      <Suspense fallback={<div className="field-box" />}>
        <Select value={field.state.value} onChange={(value) => field.handleChange(value)} options={options} />
      </Suspense>
    </Field>
  );
}

export function CheckboxField({ label, hint }: { label: ReactNode; hint?: ReactNode }) {
  const field = useFieldContext<boolean>();
  return (
    <Suspense fallback={<div className="h-5" />}>
      <Checkbox
        label={label}
        hint={hint}
        checked={field.state.value}
        onChange={(value) => field.handleChange(value)}
      />
    </Suspense>
  );
}

/** Its name is the verb. It is never greyed out: who presses it too early is told what is missing. */
export function SubmitButton({
  children,
  className,
  size,
}: Pick<ComponentProps<typeof Button>, 'children' | 'className' | 'size'>) {
  const form = useFormContext();
  return (
    <form.Subscribe selector={(state) => state.isSubmitting}>
      {(isSubmitting) => (
        <Button
          type="submit"
          look="primary"
          busy={isSubmitting}
          {...(className ? { className } : {})}
          {...(size ? { size } : {})}
        >
          {children}
        </Button>
      )}
    </form.Subscribe>
  );
}

/** What the API said to the form as a whole. */
export function FormError({ className }: { className?: string }) {
  const form = useFormContext();
  return (
    <form.Subscribe selector={(state) => state.errorMap.onSubmit as unknown}>
      {(error) => {
        const refused = typeof error === 'object' && error && 'form' in error ? error.form : error;
        if (typeof refused !== 'object' || refused === null || !('error' in refused)) return null;
        return <ErrorNotice error={refused.error} {...(className ? { className } : {})} />;
      }}
    </form.Subscribe>
  );
}
