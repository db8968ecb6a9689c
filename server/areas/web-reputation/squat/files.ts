import { readFile } from 'node:fs/promises';
import { type ProtectedNames, readProtectedNames } from './protected-names.ts';

const own = ['protected-names.txt', 'genuine-names.txt'];

/** The protected and the genuine names that come with the program, and those of the operator. */
export async function readNames(operatorsFile: string | undefined): Promise<ProtectedNames> {
  const files = own.map((name) => ({ name, read: readFile(new URL(name, import.meta.url), 'utf8') }));
  if (operatorsFile) files.push({ name: operatorsFile, read: readFile(operatorsFile, 'utf8') });
  return readProtectedNames(
    ...(await Promise.all(files.map(async ({ name, read }) => ({ name, text: await read })))),
  );
}
