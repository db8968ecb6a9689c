// npm start
import { ensureInstalled } from './install.js';

ensureInstalled({ forUse: true });
const { ensureBuilt } = await import('./build.js');
ensureBuilt();
const { serverEntry } = await import('../server/bin/entry.js');
const { runPinned } = await import('../server/bin/pinned.js');
await runPinned(serverEntry(), ['serve', ...process.argv.slice(2)]);
