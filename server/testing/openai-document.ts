import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** OpenAI's own description of its API, for tests: what its clients may rely on. */

const file = path.resolve(import.meta.dirname, '../../../shared/data/ai/openai-openapi.json');
export const hasOpenAiDocument = existsSync(file);
if (!hasOpenAiDocument) {
  if (process.env['CI'] === 'true') throw new Error(`OpenAI's document is missing: ${file}`);
  process.stderr.write(`\n*** ${file} is not on this machine: the tests of OpenAI's shapes are SKIPPED.\n\n`);
}

let compiler: Ajv2020 | undefined;
/** Names of the schemas of a Responses stream, by the `type` of the event. */
const events = new Map<string, string>();

function open(): Ajv2020 {
  const document = JSON.parse(readFileSync(file, 'utf8'), withNull);
  const { schemas } = document.components;
  for (const { $ref } of schemas.ResponseStreamEvent.anyOf) {
    const name = $ref.slice($ref.lastIndexOf('/') + 1);
    events.set(schemas[name].properties.type.enum[0], name);
  }
  const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false });
  return ajv.addSchema(document, 'openai.json');
}

/** `nullable` is a word of OpenAPI 3.0, which JSON Schema understands neither beside `$ref` nor beside `enum`. */
function withNull(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('nullable' in value)) return value;
  const { nullable, ...rest } = value;
  return nullable === true ? { anyOf: [rest, { type: 'null' }] } : value;
}

/** That the value is what the document calls by this name. Fields that it does not know are allowed by it. */
export function assertShape(name: string, value: unknown): void {
  compiler ??= open();
  const validate = compiler.getSchema(`openai.json#/components/schemas/${name}`);
  assert.ok(validate, `The document has no "${name}".`);
  if (validate(value)) return;
  const why = compiler.errorsText(validate.errors, { dataVar: name }).slice(0, 2000);
  assert.fail(`${why}\n${JSON.stringify(value).slice(0, 2000)}`);
}

/** The same of an event of a Responses stream, whose type says which. */
export function assertEventShape(event: { type: string }): void {
  compiler ??= open();
  const name = events.get(event.type);
  assert.ok(name, `The document has no event "${event.type}".`);
  assertShape(name, event);
}
