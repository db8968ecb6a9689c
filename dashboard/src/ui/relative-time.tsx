import { useSyncExternalStore } from 'react';
import { Tooltip } from '#ui/tooltip.tsx';

const steps: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });

/** "3 hours ago", "in 2 days". */
function relativeTime(time: Date, now: number): string {
  const seconds = (time.getTime() - now) / 1000;
  const [unit, length] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? [];
  if (unit && length) return relative.format(Math.round(seconds / length), unit);
  // Clocks of a browser and a server differ a little.
  return seconds > 5 ? 'in a moment' : 'just now';
}

// One clock for all times of the page.
const listeners = new Set<() => void>();
let minute = Math.floor(Date.now() / 30_000);
setInterval(() => {
  minute = Math.floor(Date.now() / 30_000);
  for (const listener of listeners) listener();
}, 30_000);
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A time as people say it; the exact one on hover and focus. */
export function RelativeTime({ time, never = 'Never' }: { time: string | null; never?: string }) {
  useSyncExternalStore(subscribe, () => minute);
  if (time === null) return <span className="text-faint">{never}</span>;
  const date = new Date(time);
  return (
    <Tooltip text={exact.format(date)}>
      <time dateTime={time} className="whitespace-nowrap">
        {relativeTime(date, Date.now())}
      </time>
    </Tooltip>
  );
}
