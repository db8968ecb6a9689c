import { readFile } from 'node:fs/promises';
import { inOneGo } from '#core/time-slices.ts';
import { mailProviders } from '../email/providers.ts';
import { type NamesFile, type ProtectedNames, readingProtectedNames } from './protected-names.ts';

/** The lists of protected and of genuine names that are kept by hand. */
export function readOwnLists(): Promise<NamesFile[]> {
  return Promise.all(
    ['protected-names.txt', 'genuine-names.txt'].map(async (name) => ({
      name,
      text: await readFile(new URL(name, import.meta.url), 'utf8'),
    })),
  );
}

/**
 * The names of the files. A domain of a mail provider's mailboxes is genuine, whatever it looks like: people have addresses
 * there.
 */
export function namesOf(...files: readonly NamesFile[]): ProtectedNames {
  return inOneGo(readingNamesOf(files));
}

/** As `namesOf`, a line a step. */
export function* readingNamesOf(files: readonly NamesFile[]): Generator<void, ProtectedNames> {
  const read = yield* readingProtectedNames(files);
  const mailboxes = mailProviders();
  return {
    ...read,
    genuine: read.genuine.union(mailboxes.genuine),
    everywhere: read.everywhere.union(mailboxes.everywhere),
  };
}
