import type { Deployment } from '@mainstay/sdk';

/** From its creation to its end; null while it continues. */
export function durationText({ createdAt, finishedAt }: Deployment): string | null {
  if (finishedAt === null) return null;
  const seconds = Math.max(0, (Date.parse(finishedAt) - Date.parse(createdAt)) / 1000);
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
