import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readFeeds } from './feeds/declaration.ts';
import { indexFile, refresh } from './feeds/refresh.ts';
import { readStates } from './feeds/states.ts';
import { type AboutIndex, NameIndex } from './names/index-file.ts';
import { readNames } from './squat/files.ts';
import { isGenuine } from './squat/protected-names.ts';
import { precedence } from './statuses.ts';

/**
 * How many names there are of each status, in a sentence: from the bundled feeds, and from all where
 * any was fetched, and which lists cannot be had. Writes nothing into the folder.
 */
export async function coverageText(options: {
  folder: string;
  feedsFile: string;
  protectedNamesFile: string | undefined;
  version: string;
}): Promise<string> {
  const { folder, version, feedsFile, protectedNamesFile } = options;
  const names = await readNames(protectedNamesFile);
  const feeds = await readFeeds(feedsFile);
  const about =
    aboutIndex(folder) ??
    (await inPassing((passing) =>
      refresh({
        ...{ folder: passing, feeds, network: false, force: false, leastShare: 0, timeoutSeconds: 1 },
        isGenuine: (domain) => isGenuine(names, domain),
        userAgent: `Mainstay/${version}`,
        now: Date.now(),
      }),
    ));
  const failing = [...(await readStates(folder))].filter(([, { error }]) => error !== null);
  const text = `${names.names.length} protected names; ${sentence(about)}`;
  if (failing.length === 0) return text;
  const list = failing.map(([id, { error }]) => `${id} (${error})`).join(' ');
  return `${text}; not to be had at the last try: ${list}`;
}

function sentence({ coverage, feeds }: AboutIndex): string {
  const hasOnline = feeds.some(({ isLocal }) => !isLocal);
  const counts = precedence.flatMap((status) => {
    const { local = 0, all = 0 } = coverage[status] ?? {};
    if (all === 0) return [];
    return [`${status} ${local}${hasOnline ? ` (with online lists ${all})` : ''}`];
  });
  return `names on lists that come with the program: ${counts.join(', ')}`;
}

function aboutIndex(folder: string): AboutIndex | undefined {
  try {
    const index = new NameIndex(indexFile(folder));
    index.close();
    return index.about;
  } catch {
    return undefined;
  }
}

async function inPassing(fill: (folder: string) => Promise<void>): Promise<AboutIndex> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-lists-'));
  try {
    await fill(folder);
    const about = aboutIndex(folder);
    if (!about) throw new Error('The lists that come with the program cannot be read.');
    return about;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
