import { Button as BaseButton } from '@base-ui/react/button';
import { createLink } from '@tanstack/react-router';
import type { ComponentProps, ReactElement, ReactNode } from 'react';
import { classes } from '#ui/classes.ts';
import { Tooltip } from '#ui/tooltip.tsx';

const looks = {
  primary: 'bg-accent text-on-accent shadow-low hover:bg-accent-hover',
  secondary: 'border border-edge/60 bg-surface text-ink shadow-low hover:bg-hover',
  ghost: 'text-muted hover:bg-hover hover:text-ink',
  danger: 'bg-danger-solid text-[white] shadow-low hover:brightness-110',
} as const;

const base =
  'inline-flex shrink-0 select-none items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap ' +
  'transition-[background-color,color,filter] duration-100 [&_svg]:size-4 [&_svg]:shrink-0 data-disabled:opacity-55';
const sizes = {
  sm: 'h-7 px-2 pointer-coarse:h-9',
  md: 'h-8 px-3 pointer-coarse:h-10',
  lg: 'h-10 px-4 text-base',
};

interface Look {
  look?: keyof typeof looks;
  size?: keyof typeof sizes;
}

type ButtonProps = Omit<ComponentProps<typeof BaseButton>, 'className'> &
  Look & { className?: string; busy?: boolean };

/** `busy`: it was pressed and the answer is awaited; the focus stays on it. */
export function Button({ look = 'secondary', size = 'md', busy = false, className, ...props }: ButtonProps) {
  return (
    <BaseButton
      disabled={busy}
      focusableWhenDisabled={busy}
      aria-busy={busy || undefined}
      {...props}
      className={classes(base, sizes[size], looks[look], busy && 'animate-pulse', className)}
    />
  );
}

/** A link that looks like a button; takes what TanStack Router's Link takes. */
export const ButtonLink = createLink(({ look = 'secondary', size = 'md', className, ...props }: LinkProps) => (
  <a {...props} className={classes(base, sizes[size], looks[look], className)} />
));
type LinkProps = ComponentProps<'a'> & Look;

type IconButtonProps = Omit<ButtonProps, 'children' | 'aria-label'> & {
  /** What it does: its name for screen readers, and its tooltip. */
  label: string;
  /** The key that does the same. */
  keys?: string;
  icon: ReactNode;
};

export function IconButton({ label, keys, icon, look = 'ghost', className, ...props }: IconButtonProps) {
  const button: ReactElement = (
    <Button look={look} aria-label={label} className={classes('w-8 px-0! pointer-coarse:w-10', className)} {...props}>
      {icon}
    </Button>
  );
  return (
    <Tooltip text={label} keys={keys}>
      {button}
    </Tooltip>
  );
}
