import { wrongUsage } from './failure.ts';

const units: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** `10m`, `2h`, `3d` before now, or a time as JavaScript reads it; as ISO 8601. */
export function timeOf(text: string, now = Date.now()): string {
  const [, count, unit = ''] = /^(\d+)([smhdw])$/.exec(text) ?? [];
  const time = count === undefined ? Date.parse(text) : now - Number(count) * (units[unit] ?? 1) * 1000;
  if (Number.isNaN(time))
    throw wrongUsage(`"${text}" is not a valid time.`, 'Use 10m, 2h, 3d, or 2026-01-31T12:00:00Z.');
  return new Date(time).toISOString();
}

/** `90s`, `10m`, `2h`, `3d`, or a number of seconds. */
export function secondsOf(text: string): number {
  const [, count, unit = 's'] = /^(\d+)([smhdw]?)$/.exec(text) ?? [];
  if (count === undefined) throw wrongUsage(`"${text}" is not a valid duration.`, 'Use 90s, 10m, 2h or 3d.');
  return Number(count) * (units[unit === '' ? 's' : unit] ?? 1);
}
