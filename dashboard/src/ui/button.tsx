import { Button as BaseButton } from '@base-ui/react/button';
import type { ComponentProps, ReactElement, ReactNode } from 'react';
import { type ButtonLook, buttonClass } from '#ui/button-class.ts';
import { classes } from '#ui/classes.ts';
import { Tooltip } from '#ui/tooltip.tsx';

type ButtonProps = Omit<ComponentProps<typeof BaseButton>, 'className'> &
  ButtonLook & { className?: string; busy?: boolean };

/** `busy`: it was pressed and the answer is awaited; the focus stays on it. */
export function Button({ look, size, busy = false, className, ...props }: ButtonProps) {
  return (
    <BaseButton
      disabled={busy}
      focusableWhenDisabled={busy}
      aria-busy={busy || undefined}
      {...props}
      className={buttonClass({
        ...(look ? { look } : {}),
        ...(size ? { size } : {}),
        className: classes(busy && 'animate-pulse', className),
      })}
    />
  );
}

type IconButtonProps = Omit<ButtonProps, 'children' | 'aria-label'> & {
  /** What it does: its name for screen readers, and its tooltip. */
  label: string;
  /** The key that does the same. */
  keys?: string;
  icon: ReactNode;
};

export function IconButton({ label, keys, icon, look = 'ghost', className, ...props }: IconButtonProps) {
  const button: ReactElement = (
    <Button
      look={look}
      aria-label={label}
      className={classes(props.size === 'sm' ? 'w-7' : 'w-8', 'px-0! pointer-coarse:w-11', className)}
      {...props}
    >
      {icon}
    </Button>
  );
  return (
    <Tooltip text={label} keys={keys}>
      {button}
    </Tooltip>
  );
}
