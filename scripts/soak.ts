import { spawnSync } from 'node:child_process';

/**
 * `npm run soak -- [MINUTES] [PART OF A NAME]`: does harm to servers under load, one campaign after another, each for so
 * long (1 minute when nothing is said), and ends with 1 when anything acknowledged was lost or anything refused was done.
 */
const [minutes = '1', part = ''] = process.argv.slice(2);
if (!(Number(minutes) > 0)) {
  process.stderr.write('usage: npm run soak -- [MINUTES] [PART OF A NAME]\n');
  process.exit(2);
}
const { status } = spawnSync(
  process.execPath,
  [new URL('./run-tests.ts', import.meta.url).pathname, new URL('./soak/long.ts', import.meta.url).pathname],
  { stdio: 'inherit', env: { ...process.env, SOAK_MINUTES: minutes, SOAK_PART: part } },
);
process.exitCode = status ?? 1;
