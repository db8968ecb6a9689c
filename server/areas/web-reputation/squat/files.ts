import { readFile } from 'node:fs/promises';
import { mailProviders } from '../email/providers.ts';
import { type ProtectedNames, readProtectedNames } from './protected-names.ts';

const own = ['protected-names.txt', 'genuine-names.txt'];

/**
 * The protected and the genuine names that come with the program, and those of the operator. A domain of a mail provider's
 * mailboxes is genuine, whatever it looks like: people have addresses there.
 */
export async function readNames(operatorsFile: string | undefined): Promise<ProtectedNames> {
  const files = own.map((name) => ({ name, read: readFile(new URL(name, import.meta.url), 'utf8') }));
  if (operatorsFile) files.push({ name: operatorsFile, read: readFile(operatorsFile, 'utf8') });
  const { names, genuine, everywhere } = readProtectedNames(
    ...(await Promise.all(files.map(async ({ name, read }) => ({ name, text: await read })))),
  );
  const mailboxes = mailProviders();
  return {
    names,
    genuine: genuine.union(mailboxes.genuine),
    everywhere: everywhere.union(mailboxes.everywhere),
  };
}
