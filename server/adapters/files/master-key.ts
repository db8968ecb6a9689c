import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

class MasterKeyError extends Error {
  override name = 'MasterKeyError';
}

/** Reads 32 bytes written as 64 hexadecimal digits or as base64 (either alphabet). */
export function parseMasterKey(text: string, origin: string): Buffer {
  const trimmed = text.trim();
  const key = /^[0-9a-f]{64}$/i.test(trimmed) ? Buffer.from(trimmed, 'hex') : Buffer.from(trimmed, 'base64');
  if (key.length !== 32) {
    throw new MasterKeyError(
      `${origin} does not hold a master key: 32 bytes as base64 or as 64 hexadecimal digits.`,
    );
  }
  return key;
}

export async function readMasterKey(file: string): Promise<Buffer> {
  const text = await readFile(file, 'utf8').catch((cause) => {
    throw new MasterKeyError(`The master key file ${file} cannot be read.`, { cause });
  });
  return parseMasterKey(text, file);
}

export function masterKeyPath(dataDir: string): string {
  return path.join(dataDir, 'master.key');
}

/**
 * Reads the key in the data folder, or makes it where `mayMake`: not for a database that was made with another. Several
 * processes may start at once: one makes it, all read it.
 */
export async function ensureMasterKey(
  dataDir: string,
  { mayMake }: { mayMake: boolean },
): Promise<{ key: Buffer; made: boolean }> {
  const file = masterKeyPath(dataDir);
  if (!existsSync(file) && !mayMake) {
    throw new MasterKeyError(
      `${file} is missing, and the database was made with the key that it held. Put it back, from a backup or a copy.`,
    );
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const made = !existsSync(file) && (await makeKeyFile(file));
  // Made by hand or copied, it may be open to others.
  await chmod(file, 0o600);
  return { key: await readMasterKey(file), made };
}

/** Written aside and linked into place, so that no process reads half a key. False when one is there already. */
async function makeKeyFile(file: string): Promise<boolean> {
  const aside = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    await writeFile(aside, `${randomBytes(32).toString('base64')}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
    await link(aside, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(aside, { force: true });
  }
}
