import { classes } from '#ui/classes.ts';

type Tone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger';

export interface WaterfallPart {
  /** What this stretch of the time was spent on: "Waiting", "Streaming". */
  label: string;
  milliseconds: number;
  tone?: Tone;
}

export interface WaterfallRow {
  id: string;
  label: string;
  /** Under the label: a model, a status, why it failed. */
  note?: string | null;
  /** Milliseconds after the beginning of the whole. */
  start: number;
  /** One after another from `start` on; their sum is the duration of the row. */
  parts: readonly WaterfallPart[];
  /** A step inside the row above it. */
  depth?: number;
}

interface WaterfallProps {
  /** What it shows, for those who do not see it. */
  label: string;
  rows: readonly WaterfallRow[];
  /** Milliseconds of the whole; the end of the last row unless given. */
  total?: number;
}

const fills: Record<Tone, string> = {
  neutral: 'bg-edge',
  accent: 'bg-series-1',
  success: 'bg-success',
  warning: 'bg-series-2',
  danger: 'bg-danger-solid',
};

/** Steps of one thing over the time that it took: attempts of a request, phases of a build. */
export function Waterfall({ label, rows, total }: WaterfallProps) {
  const whole = Math.max(total ?? 0, ...rows.map((row) => row.start + durationOf(row)), 1);
  const share = (milliseconds: number) => `${(milliseconds / whole) * 100}%`;
  const legend = legendOf(rows);
  return (
    <figure className="min-w-0">
      <table className="w-full table-fixed text-left">
        <caption className="sr-only">{label}</caption>
        <thead className="text-xs text-faint">
          <tr>
            <th scope="col" className="w-2/5 pb-1.5 font-medium sm:w-56">
              Step
            </th>
            <th scope="col" className="pb-1.5 font-medium">
              <span className="flex justify-between tabular-nums">
                <span className="sr-only">Time, from </span>
                <span>0 ms</span>
                <span className="max-sm:hidden">{durationText(whole / 2)}</span>
                <span>{durationText(whole)}</span>
              </span>
            </th>
            <th scope="col" className="w-20 pb-1.5 text-right font-medium">
              Duration
            </th>
          </tr>
        </thead>
        <tbody className="divide-y border-y">
          {rows.map((row) => (
            <tr key={row.id} className="hover:bg-hover">
              <th scope="row" className="py-1.5 pr-3 font-normal">
                <span className="block min-w-0" style={{ paddingLeft: `${(row.depth ?? 0) * 0.75}rem` }}>
                  <span className="block truncate font-medium" title={row.label}>
                    {row.label}
                  </span>
                  {row.note && (
                    <span className="line-clamp-3 text-xs text-faint wrap-anywhere" title={row.note}>
                      {row.note}
                    </span>
                  )}
                </span>
              </th>
              <td className="py-1.5">
                <span aria-hidden className="relative block h-4">
                  {placedParts(row).map(({ start, ...part }) => (
                    <span
                      key={part.label}
                      title={`${part.label}: ${durationText(part.milliseconds)}`}
                      className={classes(
                        'absolute inset-y-0 min-w-0.5 rounded-sm',
                        fills[part.tone ?? 'accent'],
                      )}
                      style={{ left: share(start), width: share(part.milliseconds) }}
                    />
                  ))}
                </span>
                <span className="sr-only">{sentenceOf(row)}</span>
              </td>
              <td className="py-1.5 text-right tabular-nums text-muted">{durationText(durationOf(row))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {legend.length > 1 && (
        <figcaption className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted" aria-hidden>
          {legend.map(({ label: name, tone = 'accent' }) => (
            <span key={name} className="flex items-center gap-1.5">
              <span className={`size-2.5 rounded-sm ${fills[tone]}`} />
              {name}
            </span>
          ))}
        </figcaption>
      )}
    </figure>
  );
}

function durationOf({ parts }: WaterfallRow): number {
  return parts.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
}

function placedParts({ start, parts }: WaterfallRow): (WaterfallPart & { start: number })[] {
  let at = start;
  return parts.map((part) => {
    const placed = { ...part, start: at };
    at += part.milliseconds;
    return placed;
  });
}

/** Each kind of part once, in the order in which they are met. */
function legendOf(rows: readonly WaterfallRow[]): WaterfallPart[] {
  const kinds = new Map<string, WaterfallPart>();
  for (const part of rows.flatMap(({ parts }) => parts))
    if (!kinds.has(part.label)) kinds.set(part.label, part);
  return [...kinds.values()];
}

function sentenceOf(row: WaterfallRow): string {
  const parts = row.parts.map((part) => `${part.label} ${durationText(part.milliseconds)}`);
  return `Starts after ${durationText(row.start)}: ${parts.join(', ')}`;
}

/** 840 ms, 1.25 s, 2 min 5 s. */
function durationText(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds).toLocaleString('en')} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toLocaleString('en', { maximumFractionDigits: 2 })} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
