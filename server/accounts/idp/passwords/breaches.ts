import { hash } from 'node:crypto';
import type { Logger } from 'pino';

const timeoutMilliseconds = 3000;

/**
 * Whether a password is known from a breach, by k-anonymity: five characters of its SHA-1 leave this machine, padded
 * answers hide which came back (https://haveibeenpwned.com/API/v3#PwnedPasswords). When nobody answers the password
 * passes: a service that is away must not keep people from changing a password.
 */
export async function isBreached(service: URL, password: string, log: Logger): Promise<boolean> {
  const digest = hash('sha1', password).toUpperCase();
  const [range, rest] = [digest.slice(0, 5), digest.slice(5)];
  try {
    const response = await fetch(new URL(range, service), {
      headers: { 'add-padding': 'true' },
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
    if (!response.ok) throw new Error(`The service responded with ${response.status}.`);
    const lines = (await response.text()).split(/\r?\n/);
    const found = lines.find((line) => line.toUpperCase().startsWith(`${rest}:`));
    return found !== undefined && Number(found.slice(rest.length + 1)) > 0;
  } catch (err) {
    log.warn({ err }, 'A new password could not be looked up among breached ones; it was let through.');
    return false;
  }
}
