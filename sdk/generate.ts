import { readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';

/** `npm run openapi`: writes api.ts, the types of every path, from openapi.json. */

const description = new URL('../openapi.json', import.meta.url);
const target = new URL('./api.ts', import.meta.url);
const banner = '// Made from openapi.json by `npm run openapi`.\n\n';

export async function describeTypes(): Promise<string> {
  const text = await readFile(description, 'utf8');
  const { schemas } = JSON.parse(text).components;
  // By their own names too; "Error" would hide the language's own.
  const named = Object.keys(schemas)
    .filter((name) => name !== 'Error')
    .map((name) => `export type ${name} = components['schemas']['${name}'];\n`);
  const nodes = await openapiTS(text, { defaultNonNullable: false });
  return `${banner}${astToString(nodes)}\n${named.join('')}`;
}

if (import.meta.main) await writeFile(target, await describeTypes());
