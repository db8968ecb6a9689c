import { readFileSync } from 'node:fs';
import { type ProtectedNames, readProtectedNames } from '../squat/protected-names.ts';

/** Mail providers with the domains of their mailboxes, in the form of protected names. */
export function mailProviders(): ProtectedNames {
  const file = new URL('providers.txt', import.meta.url);
  return readProtectedNames({ name: 'providers.txt', text: readFileSync(file, 'utf8') });
}
