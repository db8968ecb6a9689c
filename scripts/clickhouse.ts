import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * ClickHouse's engine as a library (chdb), for the tests of the log. It is too big for everyone's `npm ci` (540 MB):
 * `node scripts/clickhouse.ts` fetches it, CI does, and the tests skip what needs it where it is not there.
 */

const folder = fileURLToPath(new URL('../node_modules/.cache/clickhouse', import.meta.url));
const file = path.join(folder, 'node_modules/chdb/dist/connection/index.js');

/** The module that connects to it; undefined: it was not fetched. */
export const chdb = existsSync(file) ? pathToFileURL(file).href : undefined;

if (import.meta.main) {
  mkdirSync(folder, { recursive: true });
  const args = ['install', '--no-save', '--no-fund', '--no-audit', '--ignore-scripts', '--loglevel=error'];
  const { status } = spawnSync('npm', [...args, '--prefix', folder, 'chdb@3.4.0'], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
