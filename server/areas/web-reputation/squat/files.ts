import { readFile } from 'node:fs/promises';
import { packagedNames } from '../brands/packaged-names.ts';
import { namesOf, readOwnLists } from './own-lists.ts';
import type { ProtectedNames } from './protected-names.ts';

/** The protected and the genuine names that come with the program, and those of the operator. */
export async function readNames(operatorsFile: string | undefined): Promise<ProtectedNames> {
  const [packaged, own, operators] = await Promise.all([
    packagedNames(),
    readOwnLists(),
    operatorsFile === undefined ? undefined : readFile(operatorsFile, 'utf8'),
  ]);
  const files = [{ name: 'packaged names', text: packaged }, ...own];
  if (operatorsFile !== undefined && operators !== undefined)
    files.push({ name: operatorsFile, text: operators });
  return namesOf(...files);
}
