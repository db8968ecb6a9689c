import { classes } from '#ui/classes.ts';

const looks = {
  primary: 'bg-accent text-on-accent shadow-low hover:bg-accent-hover',
  secondary: 'border border-edge/60 bg-surface text-ink shadow-low hover:bg-hover',
  ghost: 'text-muted hover:bg-hover hover:text-ink',
  danger: 'bg-danger-solid text-[white] shadow-low hover:brightness-110',
} as const;

const base =
  'inline-flex shrink-0 select-none items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap ' +
  'transition-[background-color,color,filter] duration-100 [&_svg]:size-4 [&_svg]:shrink-0 disabled:opacity-55';
const sizes = {
  sm: 'h-7 px-2 pointer-coarse:h-11',
  md: 'h-8 px-3 pointer-coarse:h-11',
  lg: 'h-10 px-4 text-base pointer-coarse:h-11',
};

export interface ButtonLook {
  look?: keyof typeof looks;
  size?: keyof typeof sizes;
}

/** The look of a button, for links too. */
export function buttonClass({
  look = 'secondary',
  size = 'md',
  className,
}: ButtonLook & { className?: string | undefined }): string {
  return classes(base, sizes[size], looks[look], className);
}
