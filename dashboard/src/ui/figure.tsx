import { Link, type LinkProps } from '@tanstack/react-router';
import { Sparkline } from '#ui/sparkline.tsx';

export interface FigureProps {
  label: string;
  value: string;
  /** What to compare it with, or what it is of. */
  note: string;
  /** Its course. */
  points?: readonly (number | null)[] | undefined;
  /** Where the detail is. */
  link?: LinkProps | undefined;
}

/** One number of an overview, with its course; it leads to the detail. */
export function Figure({ label, value, note, points, link }: FigureProps) {
  return (
    <section
      aria-label={label}
      className="relative min-w-0 rounded-lg border bg-surface p-4 has-[a:hover]:border-edge"
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
      <p className="mt-1 truncate text-2xl font-semibold tracking-tight tabular-nums">{value}</p>
      {points && <Sparkline className="mt-2" values={points} />}
      <p className="mt-2 truncate text-xs text-faint" title={note}>
        {note}
      </p>
    </section>
  );
}
