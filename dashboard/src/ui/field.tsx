import { Field as BaseField } from '@base-ui/react/field';
import type { ComponentProps, ReactNode } from 'react';
import { classes } from '#ui/classes.ts';

export interface FieldProps {
  label: string;
  /** What to write, and what comes of it. */
  hint?: ReactNode;
  /** What is wrong with it now. */
  error?: string | undefined;
  /** At the right of the label: a link, a count. */
  aside?: ReactNode;
  /** The label is for screen readers only: the place says the same to those who see. */
  hideLabel?: boolean;
  className?: string | undefined;
}

/** Label, control, hint and error, tied together for screen readers. */
export function Field({
  label,
  hint,
  error,
  aside,
  hideLabel,
  className,
  children,
}: FieldProps & { children: ReactNode }) {
  return (
    <BaseField.Root invalid={error !== undefined} className={classes('min-w-0', className)}>
      <div className={classes('mb-1.5 flex items-baseline justify-between gap-3', hideLabel && 'sr-only')}>
        <BaseField.Label className="font-medium">{label}</BaseField.Label>
        {aside && <span className="text-xs text-muted">{aside}</span>}
      </div>
      {children}
      <BaseField.Error match={error !== undefined} className="mt-1.5 text-danger">
        {error}
      </BaseField.Error>
      {hint && <BaseField.Description className="mt-1.5 text-faint">{hint}</BaseField.Description>}
    </BaseField.Root>
  );
}

type InputProps = Omit<ComponentProps<typeof BaseField.Control>, 'className'> & { className?: string };

export function Input({ className, ...props }: InputProps) {
  return <BaseField.Control {...props} className={classes('field-box', className)} />;
}

export function Textarea({ className, ...props }: ComponentProps<'textarea'>) {
  return (
    <BaseField.Control
      render={<textarea {...props} className={classes('field-box min-h-20 py-1.5 leading-5', className)} />}
    />
  );
}
