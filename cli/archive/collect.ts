import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import { ignoreFileNames } from '@mainstay/config';
import ignore, { type Ignore } from 'ignore';

/** A file of a project, or a link. */
export interface ProjectFile {
  /** Relative to the project, with slashes. */
  name: string;
  path: string;
  size: number;
  isExecutable: boolean;
  /** Of a link: where it leads. */
  target?: string;
}

/** Never sent: repositories, dependencies (the server installs them), what desktops leave behind, and what is only for this computer. */
const never = [
  '.git',
  '.hg',
  '.svn',
  'node_modules',
  '.DS_Store',
  'Thumbs.db',
  '.mainstay',
  '.env.local',
  '.env.*.local',
];
/** With `--prebuilt` the output is sent, which repositories leave out. */
const ofRepositories = new Set(['.gitignore']);

interface Scope {
  /** With a slash at its end, or empty at the root. */
  folder: string;
  rules: Ignore;
}

/** What of a project is sent, in the order of the names; `.gitignore` and its like hold for their folder and below. */
export async function collectFiles(
  folder: string,
  { isPrebuilt = false, signal }: { isPrebuilt?: boolean; signal?: AbortSignal } = {},
): Promise<ProjectFile[]> {
  const found: ProjectFile[] = [];
  const wanted = ignoreFileNames.filter((name) => !isPrebuilt || !ofRepositories.has(name));

  async function walk(relative: string, above: readonly Scope[]): Promise<void> {
    signal?.throwIfAborted();
    const here = path.join(folder, relative);
    const entries = await readdir(here, { withFileTypes: true });
    const names = new Set(entries.map(({ name }) => name));
    const texts = await Promise.all(
      wanted
        .filter((name) => names.has(name))
        .map((name) => readFile(path.join(here, name), 'utf8').catch(() => '')),
    );
    const scopes = texts.length === 0 ? above : [...above, { folder: relative, rules: rulesOf(texts) }];
    const folders: string[] = [];
    const files: Promise<ProjectFile>[] = [];
    for (const entry of entries) {
      const name = `${relative}${entry.name}`;
      if (entry.isDirectory()) {
        if (!isIgnored(`${name}/`, scopes)) folders.push(`${name}/`);
      } else if ((entry.isFile() || entry.isSymbolicLink()) && !isIgnored(name, scopes))
        files.push(describe(folder, name));
    }
    found.push(...(await Promise.all(files)));
    for (const one of folders) await walk(one, scopes);
  }

  await walk('', [{ folder: '', rules: ignore().add(never) }]);
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function rulesOf(texts: readonly string[]): Ignore {
  const rules = ignore();
  for (const text of texts) rules.add(text);
  return rules;
}

/** The nearest rule has the last word. */
function isIgnored(name: string, scopes: readonly Scope[]): boolean {
  let verdict = false;
  for (const { folder, rules } of scopes) {
    const { ignored, unignored } = rules.test(name.slice(folder.length));
    if (ignored) verdict = true;
    else if (unignored) verdict = false;
  }
  return verdict;
}

async function describe(folder: string, name: string): Promise<ProjectFile> {
  const file = path.join(folder, name);
  const stats = await lstat(file);
  if (stats.isSymbolicLink()) {
    const target = (await readlink(file)).split(path.sep).join('/');
    return { name, path: file, size: 0, isExecutable: false, target };
  }
  return { name, path: file, size: stats.size, isExecutable: (stats.mode & 0o111) !== 0 };
}
