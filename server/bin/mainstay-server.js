#!/usr/bin/env node
// The operator's command. Plain JavaScript that any Node from 20 on can start; the server itself runs on the pinned
// runtime, so this starts that one where it is another.
import { serverEntry } from './entry.js';
import { runPinned } from './pinned.js';

await runPinned(serverEntry(), process.argv.slice(2));
