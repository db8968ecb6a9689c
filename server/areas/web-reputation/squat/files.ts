import { readFile } from 'node:fs/promises';
import { inTimeSlices } from '#core/time-slices.ts';
import { packagedNames } from '../brands/packaged-names.ts';
import { readingNamesOf, readOwnLists } from './own-lists.ts';
import { type ProtectedNames, readProtectedNames } from './protected-names.ts';

/** The bundled protected and genuine names, and those of the operator. */
export async function readNames(operatorsFile: string | undefined): Promise<ProtectedNames> {
  const [packaged, own, operators] = await Promise.all([
    packagedNames(),
    readOwnLists(),
    operatorsFile === undefined ? undefined : readFile(operatorsFile, 'utf8'),
  ]);
  const files = [{ name: 'packaged names', text: packaged }, ...own];
  if (operatorsFile !== undefined && operators !== undefined)
    files.push({ name: operatorsFile, text: operators });
  return inTimeSlices(readingNamesOf(files));
}

/** Throws an `Error` that names what is wrong in the operator's file. */
export async function checkNames(operatorsFile: string): Promise<void> {
  readProtectedNames({ name: operatorsFile, text: await readFile(operatorsFile, 'utf8') });
}
