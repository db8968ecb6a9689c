#!/usr/bin/env -S MALLOC_ARENA_MAX=2 node --max-semi-space-size=8 --heap-growing-percent=50
// The operator's command. Plain JavaScript that any Node from 20 on can start; the server itself runs on the pinned
// runtime, so this starts that one where it is another. The first line says what `pinned.js` would start it again with.
import { serverEntry } from './entry.js';
import { runPinned } from './pinned.js';

await runPinned(serverEntry(), process.argv.slice(2));
