import type { ComponentProps, MouseEvent, ReactElement, ReactNode } from 'react';
import { type ButtonLook, buttonClass } from '#ui/button-class.ts';
import { classes } from '#ui/classes.ts';
import { Tooltip } from '#ui/tooltip.tsx';

type ButtonProps = ComponentProps<'button'> & ButtonLook & { busy?: boolean };

/** `busy`: it was pressed and the answer is awaited; the focus stays on it. */
export function Button({ look, size, busy = false, className, onClick, ...props }: ButtonProps) {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type="button"
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      {...props}
      onClick={press}
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
