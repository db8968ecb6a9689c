import { accountsOf, type UserRow } from '#accounts/users/service.ts';
import { isoTime } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { outsideProviderId } from '../accounts/names.ts';
import { countPasskeys } from './store.ts';

/** A person as they see themselves. */
export async function toPerson(db: Db, user: UserRow) {
  const ways = await accountsOf(db, user.id);
  const passkeys = countPasskeys(db, user.id);
  return {
    id: user.id,
    email: user.email,
    emailVerified: user.email_verified === 1,
    name: user.name,
    givenName: user.given_name,
    familyName: user.family_name,
    imageUrl: user.image_url,
    operator: user.is_operator === 1,
    admitted: user.admitted_at !== null || user.is_operator === 1,
    hasPassword: ways.some((way) => way.provider_id === 'credential'),
    hasProvider: ways.some((way) => way.provider_id === outsideProviderId),
    twoFactorEnabled: user.two_factor_enabled === 1,
    passkeys: await passkeys,
    createdAt: isoTime(user.created_at),
  };
}
