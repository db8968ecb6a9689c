#!/usr/bin/env node
import process from 'node:process';
import manifest from './package.json' with { type: 'json' };

// Nothing else is loaded for what scripts ask most often.
const [first, second] = process.argv.slice(2);
if (second === undefined && (first === '--version' || first === '-v')) {
  process.stdout.write(`${manifest.version}\n`);
} else {
  const { runProgram } = await import('./program.ts');
  await runProgram(process.argv.slice(2), manifest.version);
}
