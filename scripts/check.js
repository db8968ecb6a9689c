// npm run check: types, lint and boundaries, dead code, each in a process of its own.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from './install.js';

ensureInstalled();
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/**
 * What has not changed since the last run is not looked at again: a fifth of the time.
 * @param {string} name of what is remembered
 * @param {string} project
 */
const types = (name, project) => [
  ...['tsc', '--noEmit', '-p', project, '--incremental'],
  ...['--tsBuildInfoFile', `node_modules/.cache/tsc/${name}.json`],
];
const checks = {
  types: types('server', '.'),
  // As it is published, with declarations; without Node's types, since it also runs in browsers.
  'types of the SDK': types('sdk', 'sdk/tsconfig.build.json'),
  'types of the dashboard': types('dashboard', 'dashboard'),
  // They start the server, and what they give a browser to run knows the DOM.
  'types of its tests': types('dashboard-tests', 'dashboard/tests'),
  'lint, format, boundaries': ['biome', 'ci', '--error-on-warnings', '--colors=off'],
  'dead code': ['knip'],
};

const results = await Promise.all(
  Object.entries(checks).map(async ([name, [command = '', ...args]]) => {
    const child = spawn(path.join(root, 'node_modules/.bin', command), args, { cwd: root });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
      });
    const code = await new Promise((resolve) => child.on('close', resolve));
    process.stdout.write(`${code === 0 ? 'ok  ' : 'BAD '} ${name}\n`);
    if (code !== 0) process.stdout.write(output);
    return code === 0;
  }),
);
process.exitCode = results.every(Boolean) ? 0 : 1;
