// Builds the dashboard when its sources are not those of the last build. Plain JavaScript for any Node from 20 on.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { pinnedNode } from '../server/bin/pinned.js';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const sources = [
  ...['dashboard/src', 'dashboard/public', 'dashboard/index.html', 'dashboard/vite.config.ts'],
  ...['dashboard/package.json', 'sdk', 'package-lock.json'],
];
const stamp = path.join(root, 'dashboard/dist/.built');

/** Ends the process when the build fails. */
export function ensureDashboard() {
  const hash = createHash('sha256');
  for (const source of sources) addTo(hash, path.join(root, source));
  const wanted = hash.digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  process.stderr.write('Building the dashboard (once, some seconds) ...\n');
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const args = [vite, 'build', path.join(root, 'dashboard'), '--logLevel', 'warn'];
  const { status } = spawnSync(pinnedNode() ?? process.execPath, args, {
    cwd: path.join(root, 'dashboard'),
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) {
    process.stderr.write('The dashboard could not be built; vite says why above.\n');
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
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
  for (const name of readdirSync(file).sort())
    if (name !== 'node_modules' && name !== 'dist') addTo(hash, path.join(file, name));
}
