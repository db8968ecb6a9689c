import { percentText } from '#api/numbers.ts';
import { classes } from '#ui/classes.ts';

interface LimitBarProps {
  label: string;
  used: number;
  limit: number;
  text: (value: number) => string;
  /** The exact number, on hover. */
  title?: (value: number) => string;
  /** Somebody is told at 50% and at 80%. */
  warns?: boolean;
}

/** How much of a limit is used, with marks where people are warned of that. */
export function LimitBar({ label, used, limit, text, title, warns }: LimitBarProps) {
  const share = limit === 0 ? 1 : Math.min(1, used / limit);
  const tone = share >= 1 ? 'bg-danger-solid' : share >= 0.8 ? 'bg-series-2' : 'bg-series-1';
  return (
    <div>
      <div className="mb-1 flex flex-wrap justify-between gap-x-4">
        <span className="font-medium">{label}</span>
        <span className="tabular-nums" title={title && `${title(used)} of ${title(limit)}`}>
          {text(used)} of {text(limit)}
          <span className="text-muted"> · {percentText(used, limit)}</span>
        </span>
      </div>
      <div
        role="img"
        aria-label={`${label}: ${text(used)} of ${text(limit)} used`}
        className="relative h-2 overflow-hidden rounded-full bg-pressed"
      >
        <div className={classes('h-full rounded-full', tone)} style={{ width: `${share * 100}%` }} />
        {warns && (
          <>
            <span aria-hidden className="absolute inset-y-0 left-1/2 w-px bg-edge" title="Warning at 50%" />
            <span aria-hidden className="absolute inset-y-0 left-[80%] w-px bg-edge" title="Warning at 80%" />
          </>
        )}
      </div>
    </div>
  );
}
