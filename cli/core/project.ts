import { appendFile, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { readJson, writeAside } from './files.ts';

/** Which application a folder belongs to. */
export interface Link {
  applicationId: string;
  organizationId?: string;
  /** The address of the instance. */
  url?: string;
}

export interface Linked {
  /** The folder that holds `.mainstay`. */
  folder: string;
  link: Link;
}

const place = path.join('.mainstay', 'project.json');

/** The link of this folder or of the nearest one above it. */
export async function findLink(from: string): Promise<Linked | undefined> {
  for (let folder = path.resolve(from); ; folder = path.dirname(folder)) {
    const link = await readJson<Partial<Link>>(path.join(folder, place));
    if (typeof link?.applicationId === 'string') return { folder, link: link as Link };
    if (folder === path.dirname(folder)) return undefined;
  }
}

/** Links the folder, and keeps the link out of its repository. */
export async function writeLink(folder: string, link: Link): Promise<void> {
  await writeAside(path.join(folder, place), `${JSON.stringify(link, null, 2)}\n`);
  await ignoreInGit(folder, '.mainstay');
}

/** Adds a line to .gitignore where there is a repository that does not ignore it yet. */
export async function ignoreInGit(folder: string, line: string): Promise<void> {
  const isRepository = await stat(path.join(folder, '.git')).then(
    () => true,
    () => false,
  );
  const file = path.join(folder, '.gitignore');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined && !isRepository) return;
  const lines = (text ?? '').split(/\r?\n/).map((one) => one.replace(/^\/|\/$/g, ''));
  if (lines.includes(line)) return;
  await appendFile(file, `${text === undefined || text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`);
}
