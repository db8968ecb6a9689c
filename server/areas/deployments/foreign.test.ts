import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { deployer, runnerSettings } from '#testing/deploying.ts';
import { type Instance, startInstance } from '#testing/instance.ts';
import { addPerson, type Person } from '#testing/people.ts';

interface Schema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minItems?: number;
  minimum?: number;
  minLength?: number;
  format?: string;
  minProperties?: number;
}

type Operation = { requestBody?: { content: Record<string, { schema: Schema }> } };
const file = new URL('../../../openapi.json', import.meta.url);
const { paths } = JSON.parse(await readFile(file, 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};
/** Every operation on a deployment, and what belongs to the hosting of an application. */
const ofHosting =
  /^\/deployments\/\{|^\/applications\/\{applicationId\}\/(?:cache|domains|environments|hostname|schedules)|^\/organizations\/\{organizationId\}\/(?:deployments|domains)/;
const operations = Object.entries(paths)
  .filter(([path]) => ofHosting.test(path))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );

const nowhere = '019537c0-0000-7000-8000-000000000000';

/** The least that the schema takes, so that nothing but the tenant is wrong. */
function sample({ type, enum: values, const: only, anyOf, ...schema }: Schema): unknown {
  if (only !== undefined) return only;
  if (values) return values[0];
  if (anyOf) return sample(anyOf[0] as Schema);
  if (type === 'object') {
    const properties = Object.entries(schema.properties ?? {});
    const least = schema.minProperties ?? 0;
    const wanted = properties.filter(([name], at) => at < least || schema.required?.includes(name));
    return Object.fromEntries(wanted.map(([name, one]) => [name, sample(one)]));
  }
  if (type === 'array') return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items ?? {}));
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'boolean') return false;
  if (schema.format === 'uuid') return nowhere;
  return 'x'.repeat(Math.max(12, schema.minLength ?? 0));
}

describe('ids of another tenant', () => {
  let instance: Instance;
  let stranger: Person;
  let ids: Record<string, string>;
  before(async () => {
    instance = await startInstance('sqlite', { settings: runnerSettings });
    const tools = deployer(instance);
    const { id: deploymentId } = await tools.deployed([{ name: 'index.html', content: 'mine' }]);
    const { items } = await tools.call('GET', `/applications/${tools.applicationId}/environments`);
    stranger = await addPerson(instance, 'stranger-of-hosting@example.com');
    ids = {
      ...{ deploymentId, applicationId: tools.applicationId, environmentId: items[0].id },
      ...{ organizationId: instance.bootstrapped.organization.id, domainId: nowhere, scheduleId: nowhere },
    };
  });
  after(() => instance[Symbol.asyncDispose]());

  const call = (
    { path, method, operation }: (typeof operations)[number],
    as: 'user' | Person,
    given: Record<string, string>,
    body?: unknown,
  ) => {
    const schema = operation.requestBody?.content['application/json']?.schema;
    const place = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given[name] ?? ''));
    const query = path.endsWith('/availability') ? '?label=free' : '';
    const sent = body ?? (schema ? sample(schema) : undefined);
    return instance.call(method, `${place}${query}`, { as, ...(sent === undefined ? {} : { body: sent }) });
  };

  test('are as good as unknown ones to every operation of hosting', async () => {
    assert.ok(operations.length > 40, `${operations.length} operations`);
    const wrong: string[] = [];
    for (const operation of operations) {
      const { status, body } = await call(operation, stranger, ids);
      if (status !== 404)
        wrong.push(`${operation.method} ${operation.path}: ${status} ${JSON.stringify(body)}`);
    }
    assert.deepEqual(wrong, []);
  });

  const malformed = [
    'x',
    '0',
    '../x',
    "' or 1=1",
    '%00',
    '019537c0-0000-7000-8000-00000000000g',
    'a'.repeat(300),
  ];
  test('that are none are refused by every operation of hosting', async () => {
    const wrong: string[] = [];
    for (const operation of operations)
      for (const text of malformed) {
        const given = Object.fromEntries(Object.keys(ids).map((name) => [name, text]));
        const { status } = await call(operation, 'user', given);
        if (status < 400 || status >= 500)
          wrong.push(`${operation.method} ${operation.path} ${text}: ${status}`);
      }
    assert.deepEqual(wrong, []);
  });

  test('bodies of other shapes are refused by every operation that takes one', async () => {
    const wrong: string[] = [];
    for (const operation of operations.filter(({ operation: one }) => one.requestBody))
      for (const body of [[], 'text', 7, { unknown: true }, { __proto__: null, constructor: {} }]) {
        const { status } = await call(operation, 'user', ids, body);
        if (status >= 500)
          wrong.push(`${operation.method} ${operation.path} ${JSON.stringify(body)}: ${status}`);
      }
    assert.deepEqual(wrong, []);
  });
});
