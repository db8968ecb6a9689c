import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/** The unpacked project, as the resolution of its configuration looks at it. */
export interface Project {
  /** Absolute. */
  folder: string;
  hasFile(name: string): Promise<boolean>;
  hasFolder(name: string): Promise<boolean>;
  manifest: Manifest | null;
}

interface Manifest {
  main?: string;
  scripts: Readonly<Record<string, string>>;
  dependencies: ReadonlySet<string>;
  packageManager?: string;
}

const maxManifestBytes = 1024 * 1024;

export async function openProject(folder: string): Promise<Project> {
  const look = (name: string) => stat(path.join(folder, name)).catch(() => null);
  return {
    folder,
    hasFile: async (name) => (await look(name))?.isFile() ?? false,
    hasFolder: async (name) => (await look(name))?.isDirectory() ?? false,
    manifest: await readManifest(path.join(folder, 'package.json')),
  };
}

/** Null where there is none. One that does not parse counts as empty: the installation says what is wrong with it. */
async function readManifest(file: string): Promise<Manifest | null> {
  const found = await stat(file).catch(() => null);
  if (!found?.isFile() || found.size > maxManifestBytes) return null;
  let parsed: Record<string, unknown> = {};
  try {
    parsed = Object(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return { scripts: {}, dependencies: new Set() };
  }
  const names = ['dependencies', 'devDependencies'].flatMap((field) => Object.keys(Object(parsed[field])));
  const scripts = Object.entries(Object(parsed['scripts'])).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const { main, packageManager } = parsed;
  return {
    scripts: Object.fromEntries(scripts),
    dependencies: new Set(names),
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
