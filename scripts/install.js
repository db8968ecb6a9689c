// Brings node_modules up to what package-lock.json says, when it is not. Plain JavaScript for any Node from 20 on.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const stamp = path.join(root, 'node_modules', '.cache', 'mainstay-lock');

/**
 * Installs the locked dependencies unless they are there already. Ends the process when that fails.
 * @param {{ forUse?: boolean }} options `forUse`: what it takes to run, without what only development needs
 */
export function ensureInstalled({ forUse = false } = {}) {
  const lock = createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex');
  const installed = existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
  const partial = `${lock} for use`;
  if (installed === lock || (forUse && installed === partial)) return;
  process.stderr.write(
    'Installing the locked dependencies, the pinned Node among them (once, about a minute) ...\n',
  );
  const npm = process.env['npm_execpath'];
  const command = npm ? process.execPath : 'npm';
  const args = [...(npm ? [npm] : []), 'ci', '--no-fund', '--no-audit', '--loglevel=error'];
  if (forUse) args.push('--omit=dev');
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    process.stderr.write('The dependencies could not be installed; npm says why above.\n');
    process.exit(1);
  }
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, forUse ? partial : lock);
}
