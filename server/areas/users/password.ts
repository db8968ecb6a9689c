import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/**
 * Passwords at rest: Argon2id (RFC 9106) with the parameters of OWASP's password storage cheat sheet, in the PHC string
 * format, so that the parameters can rise later and old hashes still verify.
 */
const memoryKiB = 19_456;
const passes = 2;
const parallelism = 1;
const tagLength = 32;

const derive = promisify<'argon2id', Argon2Parameters, Buffer>(argon2);

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
  const tag = await derive('argon2id', parameters);
  return `$argon2id$v=19$m=${memoryKiB},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`;
}

export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(stored);
  if (!match) return false;
  const [, memory, times, lanes, salt = '', expected = ''] = match;
  const tag = Buffer.from(expected, 'base64');
  const derived = await derive('argon2id', {
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
