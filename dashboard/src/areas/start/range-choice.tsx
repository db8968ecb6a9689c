import { type Range, ranges } from '#areas/start/data.ts';
import { classes } from '#ui/classes.ts';

/** For how long back the numbers of a page go; it stands in the address. */
export function RangeChoice({ range, onChange }: { range: Range; onChange: (range: Range) => void }) {
  return (
    <fieldset className="flex rounded-md border bg-surface p-0.5">
      <legend className="sr-only">Time range</legend>
      {ranges.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === range}
          className={classes(
            'h-7 rounded-sm px-2.5 text-muted hover:text-ink pointer-coarse:h-11',
            value === range && 'bg-pressed font-medium text-ink!',
          )}
          onClick={() => onChange(value)}
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}
