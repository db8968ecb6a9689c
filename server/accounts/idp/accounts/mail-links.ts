import { byEmail } from '#accounts/users/service.ts';
import type { Db } from '#core/db.ts';
import type { Vault } from '#core/vault.ts';
import { PeopleProblem } from '../errors.ts';

/**
 * The tokens in links that confirm an address are better-auth's, signed and kept nowhere. Ours around them says in which
 * epoch of the user they were made: `<epoch>.<MAC>.<token>`.
 */
export function bindLink(vault: Vault, epoch: number, token: string): string {
  return `${epoch.toString(36)}.${vault.hash(bound(epoch, token), 1).digest.toString('base64url')}.${token}`;
}

/** The token of a link that no end of everything has ended since. Throws `PeopleProblem('unauthenticated')`. */
export async function openLink(db: Db, vault: Vault, link: string): Promise<string> {
  const [, digits = '', mac = '', token = ''] = /^([0-9a-z]{1,11})\.([\w-]{43})\.(.+)$/s.exec(link) ?? [];
  const epoch = Number.parseInt(digits, 36);
  const digest = Buffer.from(mac, 'base64url');
  if (token === '' || !vault.matches(bound(epoch, token), { digest, version: 1 })) throw refused();
  const { email } = linkClaims(token);
  if (email === undefined) throw refused();
  const user = await byEmail(db, email.toLowerCase());
  // An address that nobody has any more is for better-auth to explain.
  if (user && user.epoch !== epoch) throw refused();
  return token;
}

/** What the token of a link says. Only looked at, not accepted: better-auth checks the signature. */
export function linkClaims(token: string): { email?: string; updateTo?: string; requestType?: string } {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return claims !== null && typeof claims === 'object' ? claims : {};
  } catch {
    return {};
  }
}

function bound(epoch: number, token: string): string {
  return `mail link of epoch ${epoch}: ${token}`;
}

function refused(): PeopleProblem {
  const sentence = 'This link is no longer valid. Request a new one.';
  return new PeopleProblem('unauthenticated', 'INVALID_TOKEN', sentence);
}
