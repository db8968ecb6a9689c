import type { Schema } from './failures.ts';

/** Examples of requests and answers for which no test has seen one yet: made from the schema, the same each time. */

const id = '0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091';

const byFormat: Record<string, string> = {
  uuid: id,
  'date-time': '2026-01-31T09:30:00.000Z',
  email: 'mary@example.com',
  uri: 'https://example.com/',
};

const byName: Record<string, string> = {
  name: 'Production',
  slug: 'production',
  domain: 'example.com',
  hostname: 'web.example.com',
  key: 'DATABASE_URL',
  error: 'There is nothing with this id that is visible to this token.',
};

/** `resolve` finds a component by its reference. */
export function sampleOf(
  schema: Schema,
  resolve: (reference: string) => Schema,
  name = '',
  depth = 0,
): unknown {
  if (typeof schema['$ref'] === 'string') return sampleOf(resolve(schema['$ref']), resolve, name, depth + 1);
  if ('example' in schema) return schema['example'];
  if ('const' in schema) return schema['const'];
  if ('default' in schema) return schema['default'];
  const [first] = (schema['enum'] ?? []) as unknown[];
  if (first !== undefined) return first;
  const [one] = ((schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined) ?? [];
  if (one) return sampleOf(one, resolve, name, depth + 1);
  switch (schema['type']) {
    case 'object':
      return sampleObject(schema, resolve, depth);
    case 'array': {
      const items = schema['items'] as Schema | undefined;
      return items && depth < 8 ? [sampleOf(items, resolve, name, depth + 1)] : [];
    }
    case 'string':
      return sampleText(schema, name);
    case 'integer':
    case 'number':
      return (schema['minimum'] as number | undefined) ?? 1;
    case 'boolean':
      return false;
    default:
      return null;
  }
}

function sampleObject(schema: Schema, resolve: (reference: string) => Schema, depth: number): object {
  const properties = (schema['properties'] ?? {}) as Record<string, Schema>;
  if (depth > 8) return {};
  return Object.fromEntries(
    Object.entries(properties).map(([key, value]) => [key, sampleOf(value, resolve, key, depth + 1)]),
  );
}

function sampleText(schema: Schema, name: string): string {
  const known = byFormat[String(schema['format'])] ?? (/Id$|^id$/.test(name) ? id : byName[name]);
  const text = known ?? 'text';
  return text.slice(0, (schema['maxLength'] as number | undefined) ?? text.length);
}
