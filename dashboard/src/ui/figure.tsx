import { Link, type LinkProps } from '@tanstack/react-router';
import { Sparkline } from '#ui/sparkline.tsx';

export interface FigureProps {
  label: string;
  value: string;
  /** On hover, where the value is rounded. */
  exact?: string | undefined;
  /** What to compare it with, or what it is of. */
  note: string;
  /** Its course. */
  points?: readonly (number | null)[] | undefined;
  /** Where the detail is. */
  link?: LinkProps | undefined;
}

/** One number of an overview, with its course; it leads to the detail. */
export function Figure({ label, value, exact, note, points, link }: FigureProps) {
  return (
    <section
      aria-label={label}
      className="relative flex min-w-0 flex-col rounded-lg border bg-surface p-4 has-[a:hover]:border-edge"
    >
      <h2 className="text-muted">
        {link ? (
          <Link {...link} className="rounded-sm after:absolute after:inset-0 after:content-['']">
            {label}
          </Link>
        ) : (
          label
        )}
      </h2>
      <p className="mt-1 truncate text-2xl font-semibold tracking-tight tabular-nums" title={exact}>
        {value}
      </p>
      {points && <Sparkline className="mt-2" values={points} />}
      <p className="mt-auto line-clamp-2 pt-2 text-xs text-faint" title={note}>
        {note}
      </p>
    </section>
  );
}
