import { legacyIgnoreFiles, legacyStems } from './compatibility.ts';

const moduleEndings = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'];
const textEndings = ['yaml', 'yml', 'json'];
const stems = ['mainstay', ...legacyStems.current];

/** The same names without their endings. */
export const configurationStems: readonly string[] = [...stems, ...legacyStems.textOnly];

/** Where a project may keep its configuration: the first that is there is taken. */
export const configurationFileNames: readonly string[] = [
  ...stems.flatMap((stem) => [...moduleEndings, ...textEndings].map((ending) => `${stem}.${ending}`)),
  ...legacyStems.textOnly.flatMap((stem) => textEndings.map((ending) => `${stem}.${ending}`)),
];

/** Files that say what of a project is not sent, in the syntax of .gitignore, in any of its folders. */
export const ignoreFileNames: readonly string[] = [
  '.gitignore',
  '.dockerignore',
  '.nowignore',
  '.vercelignore',
  ...legacyIgnoreFiles,
  '.mainstayignore',
];

/** Whether the file has to be run to know what is in it. */
export function isModule(file: string): boolean {
  return moduleEndings.includes(file.slice(file.lastIndexOf('.') + 1));
}
