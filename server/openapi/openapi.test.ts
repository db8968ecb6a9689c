import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { startInstance } from '#testing/instance.ts';
import { describeApi, openApiText } from './generate.ts';

const committed = new URL('../../openapi.json', import.meta.url);

test('the committed description is what the routes say; `npm run openapi` writes it', async () => {
  const isCurrent = (await readFile(committed, 'utf8')) === openApiText(await describeApi());
  assert.ok(isCurrent, 'openapi.json is out of date');
});

test('the description is valid OpenAPI 3.1 under a public validator', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(JSON.parse(await readFile(committed, 'utf8')));
  assert.ok(valid, JSON.stringify(errors));
  assert.equal(validator.version, '3.1');
});

test('every schema is valid JSON Schema: the server does not check its own', async () => {
  const { paths, components } = JSON.parse(await readFile(committed, 'utf8'));
  const ajv = new Ajv2020({ strict: false });
  let count = 0;
  const check = (value: unknown, where: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, child] of Object.entries(value)) {
      if (key === 'schema' || where === 'components.schemas') {
        count += 1;
        assert.ok(ajv.validateSchema(child), `${where}.${key}: ${ajv.errorsText()}`);
      } else if (key !== 'example' && key !== 'examples') check(child, where ? `${where}.${key}` : key);
    }
  };
  check(paths, '');
  check(components.schemas ?? {}, 'components.schemas');
  assert.ok(count > 500, String(count));
});

/** What a summary begins with that does not say what the operation does. */
const noVerb = /^(the|an?|what|who|whether|where|why|how|one|your|those|every|all|up to|do without)\b/i;

test('every operation has an id of its own, an imperative summary, a tag and its scope or none', async () => {
  const { paths } = JSON.parse(await readFile(committed, 'utf8'));
  const ids = new Set<string>();
  for (const [path, operations] of Object.entries<Record<string, Record<string, unknown>>>(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const where = `${method} ${path}`;
      assert.ok(!ids.has(operation['operationId'] as string), where);
      ids.add(operation['operationId'] as string);
      assert.ok(operation['summary'] && operation['tags'], where);
      assert.doesNotMatch(operation['summary'] as string, noVerb, where);
      const isPublic = !(operation['security'] as object[]).some((way) => 'bearer' in way);
      assert.equal(isPublic, operation['x-scope'] === undefined, where);
    }
  }
  assert.ok(ids.size > 10);
});

test('the server hands out the description, and a page that needs no other host', async () => {
  await using instance = await startInstance('sqlite');
  const description = await instance.call('GET', '/openapi.json');
  assert.equal(description.status, 200);
  assert.equal(description.body.openapi, '3.1.0');
  const page = await instance.call('GET', '/docs');
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
  assert.match(page.headers.get('content-security-policy') ?? '', /script-src 'self'/);
  assert.equal(/https?:\/\//.test(page.body), false);
  const script = await fetch(`${instance.url}/docs/scalar.js`);
  assert.equal(script.status, 200);
  assert.ok((await script.text()).length > 1_000_000);
});
