import { randomBytes } from 'node:crypto';

/** What proves a domain: 160 bits that no other application has. */
export function newToken(): string {
  return randomBytes(20).toString('hex');
}
