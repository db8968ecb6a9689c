import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { manualPage } from './man.ts';
import { root } from './tree.ts';

/**
 * `npm run build -w @mainstay/cli`: the folder dist/ is the package as it is published: everything that it needs in a few
 * files of which a command loads its own, so that it depends on nothing and starts at once.
 */

const here = fileURLToPath(new URL('./', import.meta.url));

/** `dist` is a folder that may be overwritten. */
export async function build(dist = path.join(here, 'dist')): Promise<void> {
  await rm(dist, { recursive: true, force: true });
  const bundle = await rolldown({
    input: path.join(here, 'main.ts'),
    platform: 'node',
    transform: { target: 'node20' },
  });
  await bundle.write({
    dir: path.join(dist, 'bin'),
    format: 'esm',
    entryFileNames: 'mainstay.js',
    chunkFileNames: '[name]-[hash].js',
    minify: true,
  });
  await bundle.close();
  const { name, version, description, license, engines } = JSON.parse(
    await readFile(path.join(here, 'package.json'), 'utf8'),
  );
  await mkdir(path.join(dist, 'man'));
  await writeFile(path.join(dist, 'man/mainstay.1'), manualPage(root, version));
  const published = {
    name,
    version,
    description,
    license,
    type: 'module',
    engines,
    bin: { mainstay: 'bin/mainstay.js' },
    man: 'man/mainstay.1',
    files: ['bin', 'man'],
  };
  await writeFile(path.join(dist, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  await copyFile(path.join(here, 'README.md'), path.join(dist, 'README.md'));
  await copyFile(path.join(here, '../LICENSE'), path.join(dist, 'LICENSE'));
}

if (import.meta.main) await build();
