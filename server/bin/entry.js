import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const server = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** @returns {URL} the bundle of `npm run build`, or the sources where they are newer: a change never runs an old bundle */
export function serverEntry() {
  const built = new URL('../dist/main.js', import.meta.url);
  // Made where an image or a package is built: its sources never change, and looking at each costs some 10 ms.
  if (existsSync(path.join(server, 'dist/.final'))) return built;
  const stamp = path.join(server, 'dist/.built');
  const isCurrent = existsSync(stamp) && newestSource(server) <= statSync(stamp).mtimeMs;
  return isCurrent ? built : new URL('../main.ts', import.meta.url);
}

/** @param {string} folder */
function newestSource(folder) {
  let newest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!/^(dist|node_modules|testing)$/.test(entry.name)) newest = Math.max(newest, newestSource(file));
    } else if (!entry.name.endsWith('.test.ts')) newest = Math.max(newest, statSync(file).mtimeMs);
  }
  return newest;
}
