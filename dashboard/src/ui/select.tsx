import { Select as BaseSelect } from '@base-ui/react/select';
import { Check, ChevronsUpDown } from 'lucide-react';
import { classes } from '#ui/classes.ts';

export interface Option<Value> {
  value: Value;
  label: string;
  /** A second line that explains it. */
  hint?: string;
}

interface SelectProps<Value> {
  value: Value;
  onChange: (value: Value) => void;
  options: readonly Option<Value>[];
  /** Where no Field names it. */
  label?: string;
  disabled?: boolean;
  className?: string;
}

/** One of a few. For many, where one has to search, use a Combobox. */
export function Select<Value extends string | null>(props: SelectProps<Value>) {
  const { value, onChange, options, label, disabled = false, className } = props;
  return (
    <BaseSelect.Root
      value={value}
      onValueChange={(chosen) => onChange(chosen as Value)}
      items={options as Option<Value>[]}
      disabled={disabled}
      modal={false}
    >
      <BaseSelect.Trigger
        {...(label ? { 'aria-label': label } : {})}
        className={classes(
          'field-box flex items-center justify-between gap-2 text-left select-none',
          className,
        )}
      >
        <BaseSelect.Value className="truncate" />
        <BaseSelect.Icon>
          <ChevronsUpDown aria-hidden className="size-3.5 text-faint" />
        </BaseSelect.Icon>
      </BaseSelect.Trigger>
      <BaseSelect.Portal>
        <BaseSelect.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-50">
          <BaseSelect.Popup className="popup max-h-(--available-height) min-w-(--anchor-width) overflow-y-auto p-1">
            <BaseSelect.List>
              {options.map((option) => (
                <BaseSelect.Item key={String(option.value)} value={option.value} className="menu-line py-1">
                  <span className="min-w-0 flex-1">
                    <BaseSelect.ItemText>{option.label}</BaseSelect.ItemText>
                    {option.hint && <span className="block text-xs text-faint">{option.hint}</span>}
                  </span>
                  <BaseSelect.ItemIndicator>
                    <Check aria-hidden className="size-4 text-accent" />
                  </BaseSelect.ItemIndicator>
                </BaseSelect.Item>
              ))}
            </BaseSelect.List>
          </BaseSelect.Popup>
        </BaseSelect.Positioner>
      </BaseSelect.Portal>
    </BaseSelect.Root>
  );
}
