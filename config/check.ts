import { configurationSchema } from './schema.ts';
import type { Configuration } from './types.ts';

/** As much of JSON Schema as the configuration file needs. */
export interface JsonSchema {
  readonly description?: string;
  readonly default?: unknown;
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false | JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: 'uri';
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Mistakes of the file, each with its place. */
export class ConfigurationError extends Error {
  readonly mistakes: readonly string[];
  constructor(file: string, mistakes: readonly string[]) {
    super(mistakes.map((mistake) => `${file}: ${mistake}`).join('\n'));
    this.name = 'ConfigurationError';
    this.mistakes = mistakes;
  }
}

const maxMistakes = 20;

/** What is wrong with a parsed file, each mistake a sentence that begins with its place; none where it is valid. */
export function mistakesOf(value: unknown): string[] {
  const found: Mistake[] = [];
  check(configurationSchema, value, '', found);
  return found.slice(0, maxMistakes).map(({ at, text }) => `${at === '' ? 'the file' : at} ${text}`);
}

/** The configuration, or a `ConfigurationError` that names the file. */
export function checkConfiguration(file: string, value: unknown): Configuration {
  const mistakes = mistakesOf(value);
  if (mistakes.length > 0) throw new ConfigurationError(file, mistakes);
  return value as Configuration;
}

/** Keys at the top that have no effect. */
export function unknownKeys(configuration: Configuration): string[] {
  return Object.keys(configuration).filter((key) => !Object.hasOwn(configurationSchema.properties, key));
}

interface Mistake {
  at: string;
  text: string;
  /** How deep the place is: of the members of a union, the one is meant that fails deepest. */
  depth: number;
}

function check(schema: JsonSchema, value: unknown, at: string, found: Mistake[], depth = 0): void {
  const say = (text: string) => void found.push({ at, text, depth });
  if (schema.anyOf) checkUnion(schema.anyOf, value, at, found, depth);
  else if ('const' in schema && value !== schema.const) say(`must be ${JSON.stringify(schema.const)}`);
  else if (schema.enum && !schema.enum.includes(value)) say(`must be one of ${schema.enum.join(', ')}`);
  else if (schema.type && !isOf(schema.type, value)) say(`must be ${names[schema.type]}`);
  else if (typeof value === 'string') checkText(schema, value, say);
  else if (typeof value === 'number') checkNumber(schema, value, say);
  else if (Array.isArray(value)) checkList(schema, value, at, found, depth, say);
  else if (typeof value === 'object' && value !== null)
    checkObject(schema, value as Record<string, unknown>, at, found, depth, say);
}

const names = {
  object: 'an object',
  array: 'a list',
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
};

function isOf(type: NonNullable<JsonSchema['type']>, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function checkUnion(
  members: readonly JsonSchema[],
  value: unknown,
  at: string,
  found: Mistake[],
  depth: number,
): void {
  let best: Mistake[] | undefined;
  const score = (mistakes: readonly Mistake[]) => Math.min(...mistakes.map((one) => one.depth));
  for (const member of members) {
    const mistakes: Mistake[] = [];
    check(member, value, at, mistakes, depth);
    if (mistakes.length === 0) return;
    // A kind is told by its `type`: where that fits, the mistake is meant.
    const kind = member.properties?.['type'];
    const fits = kind !== undefined && Object(value)['type'] === kind.const;
    if (fits) {
      found.push(...mistakes);
      return;
    }
    if (
      !best ||
      score(mistakes) > score(best) ||
      (score(mistakes) === score(best) && best.length > mistakes.length)
    )
      best = mistakes;
  }
  const [first] = best ?? [];
  const types = members.map(({ type }) => type).filter((type) => type !== undefined && type !== 'null');
  const isWrongKind =
    first?.depth === depth && types.length > 1 && types.every((type) => type && !isOf(type, value));
  if (isWrongKind)
    found.push({ at, depth, text: `must be ${types.map((type) => (type ? names[type] : '')).join(' or ')}` });
  else found.push(...(best ?? []));
}

function checkText(
  { minLength, maxLength, pattern, format }: JsonSchema,
  value: string,
  say: (text: string) => void,
): void {
  const length = [...value].length;
  if (minLength !== undefined && length < minLength) say('must not be empty');
  if (maxLength !== undefined && length > maxLength) say(`must have at most ${maxLength} characters`);
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) say(`must match ${pattern}`);
  if (format === 'uri' && !URL.canParse(value)) say('must be an address');
}

function checkNumber({ minimum, maximum }: JsonSchema, value: number, say: (text: string) => void): void {
  if (minimum !== undefined && !(value >= minimum)) say(`must be at least ${minimum}`);
  if (maximum !== undefined && !(value <= maximum)) say(`must be at most ${maximum}`);
}

function checkList(
  { items, minItems, maxItems, uniqueItems }: JsonSchema,
  value: readonly unknown[],
  at: string,
  found: Mistake[],
  depth: number,
  say: (text: string) => void,
): void {
  if (minItems !== undefined && value.length < minItems) say(`must have at least ${minItems} items`);
  if (maxItems !== undefined && value.length > maxItems) {
    say(`must have at most ${maxItems} items`);
    return;
  }
  if (uniqueItems && new Set(value).size < value.length) say('must not have the same item twice');
  if (!items) return;
  for (const [index, item] of value.entries()) check(items, item, `${at}[${index}]`, found, depth + 1);
}

function checkObject(
  schema: JsonSchema,
  value: Record<string, unknown>,
  at: string,
  found: Mistake[],
  depth: number,
  say: (text: string) => void,
): void {
  const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
  const { minProperties, maxProperties } = schema;
  const keys = Object.keys(value);
  for (const key of required) if (!Object.hasOwn(value, key)) say(`lacks "${key}"`);
  if (minProperties !== undefined && keys.length < minProperties) say('must not be empty');
  if (maxProperties !== undefined && keys.length > maxProperties) {
    say(`must have at most ${maxProperties} keys`);
    return;
  }
  for (const key of keys) {
    const place = placeOf(at, key);
    if (propertyNames) check(propertyNames, key, place, found, depth + 1);
    const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (known) check(known, value[key], place, found, depth + 1);
    else if (additionalProperties === false) say(`has the unknown key "${key}"`);
    else if (additionalProperties) check(additionalProperties, value[key], place, found, depth + 1);
  }
}

function placeOf(at: string, key: string): string {
  if (!/^[A-Za-z_]\w*$/.test(key)) return `${at}[${JSON.stringify(key)}]`;
  return at === '' ? key : `${at}.${key}`;
}
