import { Cron } from 'croner';

/** When a function is called by itself, in UTC. */
export type Schedule = { kind: 'rate'; seconds: number } | { kind: 'cron'; cron: Cron };

export class ScheduleError extends Error {
  override name = 'ScheduleError';
}

const units = { minute: 60, hour: 3600, day: 86_400 } as const;

/**
 * `rate(5 minutes)`, or `cron(minutes hours day-of-month month day-of-week year)` as Amazon EventBridge writes it: one of the
 * two days is `?`, and weekdays count from 1 for Sunday.
 */
export function parseSchedule(text: string): Schedule {
  const rate = /^rate\((\d{1,6}) (minute|hour|day)(s)?\)$/.exec(text.trim());
  if (rate) {
    const [, digits = '', unit = 'minute', plural] = rate;
    const count = Number(digits);
    if (count === 0 || (count === 1) === (plural !== undefined))
      throw new ScheduleError('must say "rate(1 hour)" or "rate(2 hours)", from 1 on');
    return { kind: 'rate', seconds: count * units[unit as keyof typeof units] };
  }
  const fields = /^cron\((.+)\)$/.exec(text.trim())?.[1]?.trim().split(/ +/);
  if (!fields) throw new ScheduleError('must be rate(...) or cron(...)');
  if (fields.length !== 6)
    throw new ScheduleError(
      'must have six fields in cron(...): minutes, hours, day of month, month, day of week, year',
    );
  const [minutes = '', hours = '', dayOfMonth = '', month = '', dayOfWeek = '', year = ''] = fields;
  if ((dayOfMonth === '?') === (dayOfWeek === '?'))
    throw new ScheduleError('must have "?" as day of month or as day of week, and not as both');
  const weekday = dayOfWeek.replace(/\d+/g, (digit, at: number) =>
    // The number behind # counts weeks.
    dayOfWeek[at - 1] === '#' ? digit : String(Number(digit) - 1),
  );
  const pattern = [
    ...['0', stepped(minutes, 59), stepped(hours, 23), stepped(dayOfMonth.replace('?', '*'), 31)],
    ...[stepped(month, 12), weekday.replace('?', '*'), year],
  ];
  try {
    return { kind: 'cron', cron: new Cron(pattern.join(' '), { timezone: 'UTC', paused: true }) };
  } catch (error) {
    throw new ScheduleError(`is no valid cron expression: ${(error as Error).message}`);
  }
}

/** EventBridge's `5/15` is "from 5 on": a range for others. */
function stepped(field: string, most: number): string {
  return field.replace(/(^|,)(\d+)\//g, `$1$2-${most}/`);
}
