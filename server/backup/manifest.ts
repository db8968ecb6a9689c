import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

export const manifestName = 'manifest.json';
export const databaseName = 'database.ndjson.zst';
export const masterKeyName = 'master.key';

/** What a backup folder holds, and how to tell that it is whole. */
export interface Manifest {
  format: 1;
  createdAt: string;
  migrations: string[];
  rows: Record<string, number>;
  /** SHA-256 in hexadecimal, by file name. */
  files: Record<string, string>;
}

export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(path.join(folder, manifestName), 'utf8').catch((cause) => {
    throw new Error(`${folder} is not a backup: it has no ${manifestName}.`, { cause });
  });
  const manifest = parseManifest(folder, text);
  if (manifest.format !== 1) throw new Error(`${folder} was written by a newer version of Mainstay.`);
  for (const [name, expected] of Object.entries(manifest.files)) {
    const digest = await sha256(path.join(folder, name)).catch((cause) => {
      throw new Error(`${folder} is damaged: ${name} is missing or cannot be read.`, { cause });
    });
    if (digest !== expected)
      throw new Error(`${folder} is damaged: ${name} is not what it was when it was written.`);
  }
  return manifest;
}

function parseManifest(folder: string, text: string): Manifest {
  try {
    return JSON.parse(text) as Manifest;
  } catch (cause) {
    throw new Error(`${folder} is damaged: ${manifestName} is not whole.`, { cause });
  }
}

export async function sha256(file: string): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(file), digest);
  return digest.digest('hex');
}
