import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { Semaphore } from '#core/semaphore.ts';

/**
 * Passwords at rest: Argon2id (RFC 9106) with the parameters of OWASP's password storage cheat sheet, in the PHC string
 * format, so that the parameters can rise later and old hashes still verify.
 */
const memoryKiB = 19_456;
const passes = 2;
const parallelism = 1;
const tagLength = 32;

/** One derivation keeps a core busy for some 30 ms: a crowd of them must leave the event loop its own. */
const gate = new Semaphore({ width: Math.max(1, availableParallelism() - 1), maxWaiting: 200 });
const argon2id = promisify<'argon2id', Argon2Parameters, Buffer>(argon2);
const derive = (parameters: Argon2Parameters) => gate.run(() => argon2id('argon2id', parameters));

export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const parameters = {
    message: normalized(password),
    nonce,
    memory: memoryKiB,
    passes,
    parallelism,
    tagLength,
  };
  const tag = await derive(parameters);
  return `$argon2id$v=19$m=${memoryKiB},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`;
}

/** False for whatever is no hash of ours. Takes as long as `hashPassword`. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(stored);
  if (!match) return false;
  const [, memory, times, lanes, salt = '', expected = ''] = match;
  const tag = Buffer.from(expected, 'base64');
  const derived = await derive({
    message: normalized(password),
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(times),
    parallelism: Number(lanes),
    tagLength: tag.length,
  });
  return timingSafeEqual(derived, tag);
}

/** The same password typed on another system may arrive composed differently (NIST SP 800-63B, 3.1.1.2). */
function normalized(password: string): Buffer {
  return Buffer.from(password.normalize('NFKC'), 'utf8');
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
