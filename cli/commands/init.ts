import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { configurationSchema, findConfiguration } from '@mainstay/config';
import { Failure } from '../core/failure.ts';
import { writeAside } from '../core/files.ts';
import { ignoreInGit } from '../core/project.ts';
import type { Run } from '../core/run.ts';
import type { init } from '../descriptions/deploy.ts';

const schemaFile = '.mainstay/schema.json';

export const run: Run<typeof init> = async (context, { options }) => {
  const { out, cwd } = context;
  const format = options.format ?? 'yaml';
  const present = await findConfiguration(cwd);
  const file = `mainstay.${format}`;
  if (present !== null && !options.force)
    throw new Failure(`${present} already exists.`, {
      exit: 'conflict',
      next: 'Pass --force to overwrite it.',
    });
  const assets = await assetsOf(cwd);
  await writeAside(path.join(cwd, file), texts[format](assets));
  if (format !== 'ts') {
    await writeAside(path.join(cwd, schemaFile), `${JSON.stringify(configurationSchema, null, 2)}\n`);
    await ignoreInGit(cwd, '.mainstay');
  }
  out.result({ file, assets: assets ?? null }, () => {
    out.success(`${file} written.`);
    out.note('  Run `mainstay deploy` to try it.');
  });
};

const texts: Record<'yaml' | 'ts' | 'json', (assets: string | undefined) => string> = {
  yaml: (assets) =>
    [
      `# yaml-language-server: $schema=${schemaFile}`,
      'version: 4',
      assets ? `assets: ${JSON.stringify(assets)}` : '# assets: public',
      '# build_commands: [npm ci, npm run build]',
      '# functions:',
      '#   src/api/*.ts: { memory: 256, max_duration: 30 }',
      '# routes:',
      '#   - { source: /api/*, destination: src/api/index.ts }',
      '',
    ].join('\n'),
  json: (assets) =>
    `${JSON.stringify({ $schema: schemaFile, version: 4, ...(assets ? { assets } : {}) }, null, 2)}\n`,
  ts: (assets) =>
    [
      "import { defineConfig } from '@mainstay/config';",
      '',
      'export default defineConfig({',
      '  version: 4,',
      ...(assets ? [`  assets: ${JSON.stringify(assets)},`] : []),
      '});',
      '',
    ].join('\n'),
};

/** The folder that is served as it is, where a project has no framework to say so. */
async function assetsOf(folder: string): Promise<string | undefined> {
  const manifest = await readFile(path.join(folder, 'package.json'), 'utf8').catch(() => undefined);
  if (manifest !== undefined) return undefined;
  for (const place of ['public', 'dist', 'build', 'out', '.'])
    if (await stat(path.join(folder, place, 'index.html')).catch(() => null)) return place;
  return undefined;
}
