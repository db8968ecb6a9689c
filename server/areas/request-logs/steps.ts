import { Problem } from '#core/problem.ts';
import type { TimeRange } from '#core/time-range.ts';

const minute = 60_000;
const stepMilliseconds = {
  '1m': minute,
  '5m': 5 * minute,
  '15m': 15 * minute,
  '1h': 60 * minute,
  '6h': 360 * minute,
  '1d': 1440 * minute,
};
type Interval = 'auto' | keyof typeof stepMilliseconds;

const maxSteps = 1500;
/** What a chart has room for. */
const wantedSteps = 150;
const defaultRange = 1440 * minute;

/** Whole steps, in milliseconds since 1970; `to` is the last millisecond of the last one. */
export interface Steps {
  from: number;
  to: number;
  step: number;
}

/** The steps of a chart: of the last day unless the query says otherwise, none shorter than `shortest` by itself. */
export function stepsOf(
  range: TimeRange,
  interval: Interval,
  { now, shortest = minute }: { now: number; shortest?: number },
): Steps {
  const to = range.to ?? now;
  const from = range.from ?? to - defaultRange;
  if (from > to)
    throw new Problem('invalid_request', 'The query parameter "from" must not be later than "to".');
  const step = stepOf(interval, from, to, shortest);
  return { from: Math.floor(from / step) * step, to: Math.floor(to / step) * step + step - 1, step };
}

function stepOf(interval: Interval, from: number, to: number, shortest: number): number {
  const steps = Object.values(stepMilliseconds).filter((step) => step >= shortest);
  const wanted = (to - from) / wantedSteps;
  const day = stepMilliseconds['1d'];
  // Whoever asks for years gets fewer, longer steps.
  const auto = steps.find((step) => step >= wanted) ?? Math.ceil(wanted / day) * day;
  const step = interval === 'auto' ? auto : stepMilliseconds[interval];
  if ((to - from) / step > maxSteps) {
    throw new Problem(
      'invalid_request',
      `The range has more than ${maxSteps} intervals of this length. Use a shorter range or a longer "interval".`,
    );
  }
  return step;
}
