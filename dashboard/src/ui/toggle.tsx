import { Checkbox as BaseCheckbox } from '@base-ui/react/checkbox';
import { Switch as BaseSwitch } from '@base-ui/react/switch';
import { Check, Minus } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { classes } from '#ui/classes.ts';

interface ToggleProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  label: ReactNode;
  hint?: ReactNode;
  disabled?: boolean;
  className?: string;
}

export function Checkbox({
  checked,
  mixed = false,
  onChange,
  label,
  hint,
  disabled = false,
  className,
}: ToggleProps & { mixed?: boolean }) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: it holds the checkbox.
    <label className={classes('flex items-start gap-2.5', className)}>
      <BaseCheckbox.Root
        checked={checked}
        indeterminate={mixed}
        disabled={disabled}
        onCheckedChange={onChange}
        {...(hint ? { 'aria-describedby': id } : {})}
        className="mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-sm border border-edge bg-surface text-on-accent data-checked:border-accent data-checked:bg-accent data-disabled:opacity-50 data-indeterminate:border-accent data-indeterminate:bg-accent"
      >
        <BaseCheckbox.Indicator className="[&_svg]:size-3 [&_svg]:stroke-3">
          {mixed ? <Minus aria-hidden /> : <Check aria-hidden />}
        </BaseCheckbox.Indicator>
      </BaseCheckbox.Root>
      <span className="min-w-0">
        <span className="block">{label}</span>
        {hint && (
          <span id={id} className="block text-faint">
            {hint}
          </span>
        )}
      </span>
    </label>
  );
}

/** Takes effect at once, unlike a checkbox of a form. */
export function Switch({ checked, onChange, label, hint, disabled = false, className }: ToggleProps) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: it holds the switch.
    <label className={classes('flex items-start justify-between gap-4', className)}>
      <span className="min-w-0">
        <span className="block font-medium">{label}</span>
        {hint && (
          <span id={id} className="block text-faint">
            {hint}
          </span>
        )}
      </span>
      <BaseSwitch.Root
        checked={checked}
        disabled={disabled}
        onCheckedChange={onChange}
        {...(hint ? { 'aria-describedby': id } : {})}
        className="mt-0.5 h-5 w-8.5 shrink-0 rounded-full bg-edge p-0.5 transition-colors data-checked:bg-accent data-disabled:opacity-50"
      >
        <BaseSwitch.Thumb className="block size-4 rounded-full bg-surface shadow-low transition-transform data-checked:translate-x-3.5" />
      </BaseSwitch.Root>
    </label>
  );
}
