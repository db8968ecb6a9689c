// npm test [-- files]: starts the engines that the tests run against, then node --test on the pinned runtime.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from './install.js';

ensureInstalled();
const { ensureBuilt } = await import('./build.js');
ensureBuilt();
const { pinnedNode } = await import('../server/bin/pinned.js');
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const script = path.join(root, 'scripts/run-tests.ts');
const { status } = spawnSync(pinnedNode() ?? process.execPath, [script, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
