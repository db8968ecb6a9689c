import { demandCreationRate } from '#accounts/organizations/service.ts';
import { counted } from '#core/counted.ts';
import type { Tx } from '#core/db.ts';
import { Problem } from '#core/problem.ts';
import type { Standing } from '#http/rate-limit.ts';
import { countOf, creationsSince } from './store.ts';

/** Throws when the organization has as many applications as it may. */
export async function demandRoom(tx: Tx, organizationId: string, quota: number): Promise<void> {
  const present = await countOf(tx, organizationId);
  if (present < quota) return;
  const sentence = `The organization has ${counted(present, 'application')}, and ${quota} is the limit. Delete one, or ask the operator for more.`;
  throw new Problem('forbidden', sentence);
}

/** Throws when too many were created within the last minute; else tells where the organization stands after this one. */
export async function demandRate(
  tx: Tx,
  organizationId: string,
  { perMinute, now }: { perMinute: number; now: number },
): Promise<Standing> {
  const creations = await creationsSince(tx, organizationId, now - 60_000);
  return demandCreationRate(creations, { limit: perMinute, now, what: 'applications' });
}
