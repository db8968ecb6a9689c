import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const server = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** @returns {URL} the bundle of `npm run build`, or the sources where they are newer: a change never runs an old bundle */
export function serverEntry() {
  const stamp = path.join(server, 'dist/.built');
  const isCurrent = existsSync(stamp) && newestSource(server) <= statSync(stamp).mtimeMs;
  return new URL(isCurrent ? '../dist/main.js' : '../main.ts', import.meta.url);
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
