import type { InstanceSettings } from '#accounts/instance/service.ts';
import type { UserRow } from '#accounts/users/service.ts';
import { counted } from '#core/counted.ts';
import type { Tx } from '#core/db.ts';
import { Problem } from '#core/problem.ts';
import { type Standing as RateStanding, rateHeaders } from '#http/rate-limit.ts';
import { countOwned, creationsSince } from './store.ts';

const minute = 60_000;

/**
 * Throws what keeps the user from creating an organization now: early access, quota, payment, rate, in this order, each
 * with its own sentence. Runs in the transaction of the creation, so that a crowd of requests cannot slip past together.
 * Returns where the user will stand with the rate after creating one.
 */
export async function demandMayCreate(
  tx: Tx,
  settings: InstanceSettings,
  user: UserRow,
  now: number,
): Promise<RateStanding> {
  if (settings.earlyAccess && user.admitted_at === null && user.is_operator === 0) {
    const sentence = 'During early access organizations are created by invitation. You are on the waitlist.';
    throw new Problem('forbidden', sentence);
  }
  const owned = await countOwned(tx, user.id);
  if (owned >= settings.organizationQuota) {
    const sentence = `You own ${counted(owned, 'organization')}, and ${settings.organizationQuota} is the limit. Delete one, or ask the operator for more.`;
    throw new Problem('forbidden', sentence);
  }
  const withoutPayment = settings.paymentRequired && user.has_payment_method === 0;
  if (withoutPayment && owned >= settings.organizationsWithoutPayment) {
    const sentence =
      'Another organization needs a saved payment method, which this endpoint cannot collect. Add one in the dashboard.';
    throw new Problem('forbidden', sentence);
  }
  const limit = settings.organizationsPerMinute;
  const creations = await creationsSince(tx, user.id, now - minute);
  return demandCreationRate(creations, { limit, now, what: 'organizations' });
}

/** Throws when `limit` of them were created within the last minute already; `what` names them. */
export function demandCreationRate(
  creations: readonly number[],
  { limit, now, what }: { limit: number; now: number; what: string },
): RateStanding {
  const oldest = creations[0] ?? now;
  const resetSeconds = Math.max(1, Math.ceil((oldest + minute - now) / 1000));
  const standing = { limit, remaining: limit - creations.length - 1, resetSeconds };
  if (standing.remaining >= 0) return standing;
  throw new Problem(
    'too_many_requests',
    `You can create ${limit} ${what} per minute. Try again in a minute.`,
    {
      retryAfterSeconds: resetSeconds,
      headers: rateHeaders({ ...standing, remaining: 0 }),
    },
  );
}
