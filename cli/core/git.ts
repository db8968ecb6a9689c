import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/** The branch and the commit of the repository that holds the folder; read from its files, git itself need not be there. */
export async function gitState(from: string): Promise<{ branch?: string; sha?: string }> {
  for (let folder = path.resolve(from); ; folder = path.dirname(folder)) {
    const place = path.join(folder, '.git');
    const found = await stat(place).catch(() => null);
    if (found) return readState(found.isFile() ? await pointedAt(place) : place);
    if (folder === path.dirname(folder)) return {};
  }
}

/** A worktree has a file that names its folder. */
async function pointedAt(file: string): Promise<string> {
  const text = await readFile(file, 'utf8');
  return path.resolve(path.dirname(file), text.replace(/^gitdir:\s*/, '').trim());
}

async function readState(folder: string): Promise<{ branch?: string; sha?: string }> {
  const text = (name: string) => readFile(path.join(folder, name), 'utf8').catch(() => '');
  const head = (await text('HEAD')).trim();
  if (/^[0-9a-f]{40}$/.test(head)) return { sha: head };
  const ref = /^ref: (refs\/heads\/(.+))$/.exec(head);
  if (!ref) return {};
  const [, name = '', branch = ''] = ref;
  const common = (await text('commondir')).trim();
  const shared = common === '' ? folder : path.resolve(folder, common);
  const loose = (await readFile(path.join(shared, name), 'utf8').catch(() => '')).trim();
  const packed = await readFile(path.join(shared, 'packed-refs'), 'utf8').catch(() => '');
  const sha =
    loose ||
    packed
      .split('\n')
      .find((line) => line.endsWith(` ${name}`))
      ?.slice(0, 40);
  return { branch, ...(sha && /^[0-9a-f]{40}$/.test(sha) ? { sha } : {}) };
}
