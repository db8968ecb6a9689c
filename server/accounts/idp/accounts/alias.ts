import { randomBytes } from 'node:crypto';
import { isId } from '#core/ids.ts';

/**
 * A user by id where better-auth wants an e-mail address: it refuses addresses without a dotted domain, which operators
 * may have (`admin@localhost`). The domain is this process's secret, so that nobody can claim such an address.
 */
const domain = `${randomBytes(16).toString('hex')}.invalid`;

export function emailAlias(userId: string): string {
  return `${userId}@${domain}`;
}

/** The id in an alias; undefined for any other address. */
export function idOfAlias(email: string): string | undefined {
  const [id = '', after] = email.split('@', 2);
  return after === domain && isId(id) ? id : undefined;
}
