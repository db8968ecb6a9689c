import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/** A program that runs code of users. */
export interface Runtime {
  /** `node-26`, `bun-1`, `php-84`. */
  name: string;
  family: 'node' | 'bun' | 'php';
  /** The folder with its `bin`, absolute; null for what lies in the system's own folders. */
  folder: string | null;
  /** Absolute, outside of the sandbox. */
  program: string;
}

const programs = { node: 'node', bun: 'bun', php: 'php' } as const;

/** The Node that this program runs on. */
export const ownRuntime: Runtime = {
  name: `node-${process.versions.node.split('.')[0]}`,
  family: 'node',
  folder: path.dirname(path.dirname(process.execPath)),
  program: process.execPath,
};

/** Where runtimes of every sandbox are mounted; the name is one of ours. */
export function programInside({ name, folder, program, family }: Runtime): string {
  return folder === null ? program : `/runtimes/${name}/bin/${programs[family]}`;
}

/**
 * Our own Node, what the operator has put into the folder (`node-22/bin/node`, `bun-1/bin/bun`, `php-84/bin/php`), and the
 * system's PHP.
 */
export async function findRuntimes(folder: string | undefined): Promise<ReadonlyMap<string, Runtime>> {
  const found = new Map([[ownRuntime.name, ownRuntime]]);
  const names = folder === undefined ? [] : await readdir(folder);
  for (const name of names) {
    const family = /^(node|bun|php)-\d{1,3}$/.exec(name)?.[1] as Runtime['family'] | undefined;
    if (!family || folder === undefined) continue;
    const place = await realpath(path.join(folder, name));
    const program = path.join(place, 'bin', programs[family]);
    if ((await stat(program).catch(() => null))?.isFile())
      found.set(name, { name, family, folder: place, program });
  }
  const php = '/usr/bin/php';
  // To start a program costs more than to see that it is not there.
  if (!existsSync(php)) return found;
  const version = await promisify(execFile)(php, ['-r', 'echo PHP_MAJOR_VERSION, PHP_MINOR_VERSION;'], {
    timeout: 10_000,
  }).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
  const name = `php-${version}`;
  if (/^\d{2}$/.test(version) && !found.has(name))
    found.set(name, { name, family: 'php', folder: null, program: php });
  return found;
}
