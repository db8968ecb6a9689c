import { execFileSync } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { runtimes } from '../scripts/runtimes.ts';

/**
 * `npm run executable -w @mainstay/cli -- [file] [target]`: one file that holds the command line and Bun, for this platform, or
 * for another one such as bun-darwin-arm64 or bun-windows-x64, whose runtime Bun fetches.
 */

const [file = fileURLToPath(new URL('./dist/mainstay', import.meta.url)), target] = process.argv.slice(2);
const bun = runtimes['bun'] ?? 'bun';
const main = fileURLToPath(new URL('./main.ts', import.meta.url));
const args = ['build', '--compile', '--minify', main, '--outfile', path.resolve(file)];
execFileSync(bun, target === undefined ? args : [...args, `--target=${target}`], { stdio: 'inherit' });
