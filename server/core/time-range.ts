import { Problem } from '#core/problem.ts';

/** Milliseconds since 1970, both inclusive. */
export interface TimeRange {
  from: number | undefined;
  to: number | undefined;
}

/** The query parameters `from` and `to`: ISO 8601, or dates, which stand for the beginning and the end of that day (UTC). */
export function readRange(query: { from?: string; to?: string }): TimeRange {
  const from = readTime('from', query.from, { endOfDay: false });
  const to = readTime('to', query.to, { endOfDay: true });
  if (from !== undefined && to !== undefined && from > to)
    throw new Problem('invalid_request', 'The query parameter "from" must not be later than "to".');
  return { from, to };
}

const isoDate = /^\d{4}-\d{2}-\d{2}$/;
const isoMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/i;

function readTime(
  name: string,
  text: string | undefined,
  { endOfDay }: { endOfDay: boolean },
): number | undefined {
  if (text === undefined || text === '') return undefined;
  const isTime = (isoDate.test(text) || isoMoment.test(text)) && isOfCalendar(text.slice(0, 10));
  const time = isTime ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new Problem('invalid_request', `The query parameter "${name}" must be an ISO 8601 time or date.`);
  return endOfDay && isoDate.test(text) ? time + 86_400_000 - 1 : time;
}

/** JavaScript reads 30 February as the first days of March. */
function isOfCalendar(date: string): boolean {
  const time = Date.parse(date);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}
