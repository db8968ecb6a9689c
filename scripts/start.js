// npm start
import { ensureInstalled } from './install.js';

ensureInstalled({ forUse: true });
const { ensureBuilt } = await import('./build.js');
ensureBuilt();
const { runPinned } = await import('../server/bin/pinned.js');
await runPinned(new URL('../server/dist/main.js', import.meta.url), ['serve', ...process.argv.slice(2)]);
