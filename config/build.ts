import { execFileSync } from 'node:child_process';
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * `npm run build -w @mainstay/config`: the folder dist/ is the package as it is published. Inside the repository the
 * sources are imported as they are.
 */

const here = new URL('./', import.meta.url);

/** `dist` is a folder that may be overwritten. */
export async function build(dist = fileURLToPath(new URL('dist', here))): Promise<void> {
  await rm(dist, { recursive: true, force: true });
  const compiler = fileURLToPath(import.meta.resolve('typescript/bin/tsc'));
  const args = [compiler, '-p', 'tsconfig.build.json', '--outDir', dist];
  execFileSync(process.execPath, args, { cwd: here, stdio: 'inherit' });
  const { name, version, description, license, engines } = JSON.parse(
    await readFile(new URL('package.json', here), 'utf8'),
  );
  const published = {
    name,
    version,
    description,
    license,
    type: 'module',
    sideEffects: false,
    engines,
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
  };
  await writeFile(path.join(dist, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  await copyFile(new URL('README.md', here), path.join(dist, 'README.md'));
  await copyFile(new URL('../LICENSE', here), path.join(dist, 'LICENSE'));
}

if (import.meta.main) await build();
