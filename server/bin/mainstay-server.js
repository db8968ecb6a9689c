#!/usr/bin/env node
// The operator's command. Plain JavaScript that any Node from 20 on can start; the server itself runs on the pinned
// runtime, so this starts that one where it is another.
import { runPinned } from './pinned.js';

await runPinned(new URL('../main.ts', import.meta.url), process.argv.slice(2));
