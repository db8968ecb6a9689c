import { audit, systemSource } from '#accounts/audit-log/service.ts';
import { byEmail, createUser, type UserRow } from '#accounts/users/service.ts';
import type { Clock } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import type { Vault } from '#core/vault.ts';
import { PeopleProblem } from '../errors.ts';
import { operatorExists } from './store.ts';

/**
 * The link of the first start. It needs no row of its own: it is the moment of its end under a MAC of the vault's, good on
 * every node until then, and void once there is an operator, which is what makes it work once.
 */

/** Null once there is an operator. */
export async function setupLink(
  deps: { db: Db; vault: Vault; clock: Clock },
  { baseUrl, lifetimeSeconds }: { baseUrl: string; lifetimeSeconds: number },
): Promise<string | null> {
  if (await operatorExists(deps.db)) return null;
  const expiresAt = deps.clock.now() + lifetimeSeconds * 1000;
  const mac = deps.vault.hash(macOf(expiresAt), 1).digest.toString('base64url');
  return `${baseUrl}/setup?token=${expiresAt.toString(36)}.${mac}`;
}

export function isSetupToken({ vault, clock }: { vault: Vault; clock: Clock }, token: string): boolean {
  const [end = '', mac = ''] = token.split('.', 2);
  if (!/^[0-9a-z]{1,12}$/.test(end)) return false;
  const expiresAt = Number.parseInt(end, 36);
  const digest = Buffer.from(mac, 'base64url');
  return vault.matches(macOf(expiresAt), { digest, version: 1 }) && expiresAt > clock.now();
}

function macOf(expiresAt: number): string {
  return `setup link until ${expiresAt}`;
}

export function setupRefused(): PeopleProblem {
  const sentence =
    'This link is no longer valid: it has expired, or this instance already has an operator. While there is no operator, the server prints a new link on each start.';
  return new PeopleProblem('forbidden', 'SETUP_LINK_VOID', sentence);
}

/** The first operator, exactly one. */
export async function createFirstOperator(
  deps: { db: Db; clock: Clock },
  person: { email: string; name: string; passwordHash: string },
): Promise<UserRow> {
  return deps.db.write(
    async (tx) => {
      if (await operatorExists(tx)) throw setupRefused();
      if (await byEmail(tx, person.email)) {
        const sentence = 'This address is already in use. Use another one for the operator.';
        throw new PeopleProblem('conflict', 'ADDRESS_TAKEN', sentence);
      }
      const user = await createUser(tx, { ...person, isOperator: true, now: deps.clock.now() });
      const target = { organizationId: null, targetType: 'user', targetId: user.id };
      const details = { email: user.email, operator: true };
      await audit(tx, systemSource, { ...target, action: 'user.created', details });
      return user;
    },
    { queue: 'operators' },
  );
}
