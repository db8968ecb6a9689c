import { lstat, mkdir, readdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { globMatcher } from '#core/glob.ts';
import { BuildFailed } from './build.ts';
import type { ResolvedFunction } from './configuration/resolve.ts';

type Wanted = Pick<ResolvedFunction, 'path' | 'includeFiles' | 'excludeFiles' | 'symlinks'>;

/** As for whole packages: repositories, and what only the next build has a use for. */
const never = new Set(['.git', '.hg', '.svn', '.bzr', 'CVS']);
const neverAtRoot = new Set(['node_modules/.cache', '.pnpm-store']);

/**
 * Entries of the folder that a function takes: all but those that `excludeFiles` names, and of these the ones that
 * `includeFiles` names; its own file always. Patterns are of the project, which is `root` in the folder. Null: all.
 */
export async function filesOf(folder: string, root: string, wanted: Wanted): Promise<string[] | null> {
  if (wanted.excludeFiles.length === 0) return null;
  const isExcluded = anyOf(root, wanted.excludeFiles);
  const isIncluded = anyOf(root, wanted.includeFiles);
  const entry = path.posix.join(root, wanted.path);
  const found: string[] = [];
  const queue = [{ at: '', excluded: false, included: false }];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const one of await readdir(path.join(folder, next.at), { withFileTypes: true })) {
      const name = path.posix.join(next.at, one.name);
      if (never.has(one.name) || neverAtRoot.has(name)) continue;
      const excluded = next.excluded || isExcluded(name);
      const included = next.included || isIncluded(name);
      if (one.isDirectory()) queue.push({ at: name, excluded, included });
      if (!excluded || included || name === entry) found.push(name);
    }
  }
  return found.sort();
}

function anyOf(root: string, patterns: readonly string[]): (name: string) => boolean {
  const all = patterns.map((pattern) => globMatcher(path.posix.join(root, pattern)));
  return (name) => all.some((matches) => matches(name));
}

/**
 * Makes the links of a function for as long as the work takes. Nothing of the user runs meanwhile, so what was looked at
 * stays as it is; a folder that is a link is not followed, since it may lead out of the project.
 */
export async function withLinks<T>(
  folder: string,
  root: string,
  { symlinks }: Wanted,
  work: () => Promise<T>,
): Promise<T> {
  const made: string[] = [];
  try {
    for (const [name, target] of Object.entries(symlinks)) {
      const place = path.posix.join(root, name);
      const leadsTo = path.posix.join(path.posix.dirname(place), target);
      if (leavesRoot(place) || leavesRoot(leadsTo) || target.startsWith('/'))
        throw new BuildFailed(`The symbolic link ${name} must lie in the project and lead to a place in it.`);
      await makeFolders(folder, path.posix.dirname(place), made);
      await symlink(target, path.join(folder, place)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST')
          throw new BuildFailed(`The symbolic link ${name} is in the place of a file.`);
        throw error;
      });
      made.push(path.join(folder, place));
    }
    return await work();
  } finally {
    for (const place of made.toReversed()) await rm(place, { recursive: true, force: true });
  }
}

function leavesRoot(place: string): boolean {
  return place === '..' || place.startsWith('../') || place.startsWith('/') || /[\\\0]/.test(place);
}

async function makeFolders(folder: string, place: string, made: string[]): Promise<void> {
  const segments = place.split('/').filter((segment) => segment !== '' && segment !== '.');
  for (let count = 1; count <= segments.length; count++) {
    const at = path.join(folder, ...segments.slice(0, count));
    const found = await lstat(at).catch(() => null);
    if (found?.isDirectory()) continue;
    if (found)
      throw new BuildFailed(
        `${segments.slice(0, count).join('/')} is no folder, and a symbolic link is to lie in it.`,
      );
    await mkdir(at);
    made.push(at);
  }
}
