import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { parse as parseYaml } from 'yaml';
import { globMatcher } from '#core/glob.ts';

/** The unpacked project, as the resolution of its configuration looks at it. */
export interface Project {
  /** Absolute. */
  folder: string;
  /** Of the project in the archive; empty where that is the project. */
  rootDirectory: string;
  hasFile(name: string): Promise<boolean>;
  hasFolder(name: string): Promise<boolean>;
  manifest: Manifest | null;
  /** The folder with the workspace that it belongs to, in the archive; null where there is none above it. */
  workspace: Workspace | null;
}

interface Workspace {
  hasFile(name: string): Promise<boolean>;
}

interface Manifest {
  main?: string;
  scripts: Readonly<Record<string, string>>;
  dependencies: ReadonlySet<string>;
  packageManager?: string;
  /** Patterns of folders. */
  workspaces: readonly string[];
}

const maxManifestBytes = 1024 * 1024;
const maxPatterns = 200;

export async function openProject(archiveFolder: string, rootDirectory = ''): Promise<Project> {
  const folder = path.join(archiveFolder, rootDirectory);
  return {
    ...{ folder, rootDirectory },
    hasFile: (name) => hasFile(folder, name),
    hasFolder: async (name) =>
      (await stat(path.join(folder, name)).catch(() => null))?.isDirectory() ?? false,
    manifest: await readManifest(path.join(folder, 'package.json')),
    workspace: await workspaceOf(archiveFolder, rootDirectory),
  };
}

async function hasFile(folder: string, name: string): Promise<boolean> {
  return (await stat(path.join(folder, name)).catch(() => null))?.isFile() ?? false;
}

/** The nearest folder above that names the project as a part of it, as npm, Yarn and Bun do, or as pnpm does. */
async function workspaceOf(archiveFolder: string, rootDirectory: string): Promise<Workspace | null> {
  const segments = rootDirectory.split('/').filter(Boolean);
  for (let depth = segments.length - 1; depth >= 0; depth--) {
    const folder = path.join(archiveFolder, ...segments.slice(0, depth));
    const inside = segments.slice(depth).join('/');
    const patterns = [
      ...((await readManifest(path.join(folder, 'package.json')))?.workspaces ?? []),
      ...(await pnpmWorkspaces(path.join(folder, 'pnpm-workspace.yaml'))),
    ];
    if (isNamed(inside, patterns)) return { hasFile: (name) => hasFile(folder, name) };
  }
  return null;
}

function isNamed(inside: string, patterns: readonly string[]): boolean {
  const plain = patterns.map((pattern) => pattern.replace(/^(!?)\.\//, '$1').replace(/\/+$/, ''));
  const matches = (pattern: string) => globMatcher(pattern)(inside);
  const excluded = plain.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
  return plain.some((pattern) => !pattern.startsWith('!') && matches(pattern)) && !excluded.some(matches);
}

async function pnpmWorkspaces(file: string): Promise<string[]> {
  const found = await stat(file).catch(() => null);
  if (!found?.isFile() || found.size > maxManifestBytes) return [];
  try {
    return texts(Object(parseYaml(await readFile(file, 'utf8'))).packages);
  } catch {
    return [];
  }
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string').slice(0, maxPatterns) : [];
}

/** Null where there is none. One that does not parse counts as empty: the installation says what is wrong with it. */
async function readManifest(file: string): Promise<Manifest | null> {
  const found = await stat(file).catch(() => null);
  if (!found?.isFile() || found.size > maxManifestBytes) return null;
  let parsed: Record<string, unknown> = {};
  try {
    parsed = Object(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return { scripts: {}, dependencies: new Set(), workspaces: [] };
  }
  const names = ['dependencies', 'devDependencies'].flatMap((field) => Object.keys(Object(parsed[field])));
  const scripts = Object.entries(Object(parsed['scripts'])).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const { main, packageManager, workspaces } = parsed;
  return {
    scripts: Object.fromEntries(scripts),
    dependencies: new Set(names),
    workspaces: texts(Array.isArray(workspaces) ? workspaces : Object(workspaces).packages),
    ...(typeof main === 'string' ? { main } : {}),
    ...(typeof packageManager === 'string' ? { packageManager } : {}),
  };
}

const never = new Set(['node_modules', '.git', '.hg', '.svn']);

/** The project's files, relative and with slashes, in order; dependencies and repositories are left out. Links count as files. */
export async function listFiles(folder: string, limit: number, from = ''): Promise<string[]> {
  const found: string[] = [];
  const queue = [from];
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    const entries = await readdir(path.join(folder, at), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const name = at === '' ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!never.has(entry.name)) queue.push(name);
      } else if (entry.isFile() || entry.isSymbolicLink()) found.push(name);
      if (found.length > limit) throw new Error(`The project has more than ${limit} files.`);
    }
  }
  return found;
}
