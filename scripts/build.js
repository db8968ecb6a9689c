// npm run build, and what npm start and npm test do first: builds the server, the names of brands, the dashboard and the manual
// when their sources are not those of the last build. Plain JavaScript for any Node from 20 on.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { pinnedNode } from '../server/bin/pinned.js';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Each leaves `dist` in its folder. */
const builds = [
  {
    name: 'server',
    folder: 'server',
    sources: ['.', '../config', '../package-lock.json'],
    command: ['server/build.ts'],
  },
  {
    name: 'dashboard',
    folder: 'dashboard',
    sources: [
      'src',
      'public',
      'index.html',
      'vite.config.ts',
      'package.json',
      '../sdk',
      '../package-lock.json',
    ],
    command: ['node_modules/vite/bin/vite.js', 'build', 'dashboard', '--logLevel', 'warn'],
  },
  {
    name: 'manual',
    folder: 'manual',
    sources: ['.vitepress', 'package.json', '../docs', '../package-lock.json'],
    command: ['node_modules/vitepress/bin/vitepress.js', 'build', 'manual'],
  },
  {
    name: 'list of brands',
    folder: 'server/areas/web-reputation/brands',
    sources: ['.', '../squat', '../email/providers.txt', '../../../../package-lock.json'],
    command: ['server/areas/web-reputation/brands/main.ts'],
  },
];

/** Ends the process when a build fails. */
export function ensureBuilt() {
  for (const { name, folder, sources, command } of builds) {
    const home = path.join(root, folder);
    const stamp = path.join(home, 'dist/.built');
    const files = sources.map((source) => path.join(home, source));
    if (existsSync(stamp) && files.every((file) => isOlder(file, statSync(stamp).mtimeMs))) continue;
    const begun = new Date();
    const hash = createHash('sha256');
    for (const file of files) addTo(hash, file);
    const wanted = hash.digest('hex');
    if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) {
      // Other files for a while, or copied: `mainstay-server`, which looks at times alone, would not run what is built.
      utimesSync(stamp, begun, begun);
      continue;
    }
    process.stderr.write(`Building the ${name} (once, some seconds) ...\n`);
    const { status, stdout } = spawnSync(pinnedNode() ?? process.execPath, command, {
      cwd: root,
      stdio: ['ignore', 'pipe', 2],
    });
    if (status !== 0) {
      process.stderr.write(stdout);
      process.stderr.write(`The ${name} could not be built; the reason stands above.\n`);
      process.exit(1);
    }
    writeFileSync(stamp, wanted);
    utimesSync(stamp, begun, begun);
  }
}

/** @param {string} name */
const isSource = (name) => !/^(node_modules|dist|testing)$|\.test\.ts$/.test(name);

/**
 * Whether nothing in it was changed since, added or removed: a tenth of the time that reading all of it takes.
 * @param {string} file
 * @param {number} time
 * @returns {boolean}
 */
function isOlder(file, time) {
  const found = statSync(file);
  if (found.mtimeMs > time) return false;
  if (!found.isDirectory()) return true;
  return readdirSync(file).every((name) => !isSource(name) || isOlder(path.join(file, name), time));
}

/**
 * @param {import('node:crypto').Hash} hash
 * @param {string} file
 */
function addTo(hash, file) {
  if (!statSync(file).isDirectory()) {
    hash.update(path.relative(root, file)).update('\0').update(readFileSync(file));
    return;
  }
  for (const name of readdirSync(file).sort()) if (isSource(name)) addTo(hash, path.join(file, name));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureBuilt();
