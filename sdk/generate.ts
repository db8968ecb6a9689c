import { readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';

/** `npm run openapi`: writes api.ts, the types of every path, from openapi.json. */

const description = new URL('../openapi.json', import.meta.url);
const target = new URL('./api.ts', import.meta.url);
const banner = '// Made from openapi.json by `npm run openapi`.\n\n';

/** Of a body that may be JSON or a form, the JSON: it is what the client sends, and the forms say the same. */
function withoutForms(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutForms);
  if (node === null || typeof node !== 'object') return node;
  const isContent = 'application/json' in node && 'multipart/form-data' in node;
  const shown = isContent ? { 'application/json': node['application/json'] } : node;
  return Object.fromEntries(Object.entries(shown).map(([key, value]) => [key, withoutForms(value)]));
}

export async function describeTypes(): Promise<string> {
  const text = await readFile(description, 'utf8');
  const { paths, components, ...rest } = JSON.parse(text);
  // By their own names too; "Error" would hide the language's own.
  const named = Object.keys(components.schemas)
    .filter((name) => name !== 'Error')
    .map((name) => `export type ${name} = components['schemas']['${name}'];\n`);
  const nodes = await openapiTS(
    { ...rest, components, paths: withoutForms(paths) },
    { defaultNonNullable: false },
  );
  return `${banner}${astToString(nodes)}\n${named.join('')}`;
}

if (import.meta.main) await writeFile(target, await describeTypes());
