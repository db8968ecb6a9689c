import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify';

/** Our own schemas are checked by a test, not by each start: compiling the schema of schemas takes 0.1 s. */
const trusted = { strict: false, validateSchema: false, meta: false } as const;
const common = { ...trusted, allErrors: false, removeAdditional: false, useDefaults: true } as const;

/** Bodies mean what they say: the number 5 is not the text "5". */
const bodyAjv = new Ajv2020({ ...common, coerceTypes: false });
/** Query and path are text by nature. */
const textAjv = new Ajv2020({ ...common, coerceTypes: true });
for (const ajv of [bodyAjv, textAjv]) {
  // biome-ignore lint/suspicious/noExplicitAny: the package's default export is CommonJS, which its types do not say.
  (addFormats as any)(ajv, ['uuid', 'date-time', 'email', 'uri']);
}

/** Each compiled for the first request that needs it, as `serializerCompiler` does with answers. */
export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  const validate = compiledWhenUsed(schema, httpPart === 'body' ? bodyAjv : textAjv);
  return httpPart === 'params' ? lowerCaseIds(validate, schema) : validate;
};

/** Compiles the schema for the first value that it checks. */
export function compiledWhenUsed(schema: object, ajv = bodyAjv): ValidateFunction {
  let validate: ValidateFunction | undefined;
  const wrapped = (data: unknown) => {
    validate ??= ajv.compile(schema);
    const valid = validate(data);
    wrapped.errors = validate.errors ?? null;
    return valid;
  };
  wrapped.errors = null as ErrorObject[] | null;
  return wrapped as unknown as ValidateFunction;
}

/** An id in upper case is the same id (RFC 9562, 4): engines that store text see one form of it. */
function lowerCaseIds(validate: ValidateFunction, schema: object): ValidateFunction {
  const { properties = {} } = schema as { properties?: object };
  const names = Object.keys(properties).filter((name) => name.endsWith('Id'));
  const wrapped = (params: Record<string, string>) => {
    const valid = validate(params);
    wrapped.errors = validate.errors ?? null;
    if (valid) {
      for (const name of names) {
        const id = params[name] as string;
        if (/[A-F]/.test(id)) params[name] = id.toLowerCase();
      }
    }
    return valid;
  };
  wrapped.errors = null as ErrorObject[] | null;
  return wrapped as unknown as ValidateFunction;
}

const places: Record<string, string> = {
  body: 'The field',
  querystring: 'The query parameter',
  headers: 'The header',
};

/** A validation error as a sentence that names the field and says what would be right. */
export function sentenceFor(error: FastifySchemaValidationError | undefined, part: string): string {
  if (!error) return 'The request is not valid.';
  const name = error.instancePath.slice(1).replaceAll('/', '.');
  const params = error.params as Record<string, unknown>;
  const place = places[part] ?? 'The field';
  if (error.keyword === 'required') return `${place} "${join(name, params['missingProperty'])}" is missing.`;
  if (error.keyword === 'additionalProperties') {
    return `${place} "${join(name, params['additionalProperty'])}" is unknown.`;
  }
  if (name === '')
    return part === 'body' ? `The body must be ${expectation(error)}.` : `The request ${error.message}.`;
  return `${place} "${name}" must be ${expectation(error)}.`;
}

function join(parent: string, child: unknown): string {
  return parent ? `${parent}.${String(child)}` : String(child);
}

function expectation({ keyword, params, message }: FastifySchemaValidationError): string {
  const limit = params['limit'];
  switch (keyword) {
    case 'type':
      return `of type ${String(params['type']).replaceAll(',', ' or ')}`;
    case 'minLength':
      return limit === 1 ? 'at least 1 character long' : `at least ${limit} characters long`;
    case 'maxLength':
      return `at most ${limit} characters long`;
    case 'minimum':
      return `at least ${limit}`;
    case 'maximum':
      return `at most ${limit}`;
    case 'minItems':
      return `a list of at least ${limit}`;
    case 'maxItems':
      return `a list of at most ${limit}`;
    case 'uniqueItems':
      return 'a list without repetitions';
    case 'enum':
      return `one of ${(params['allowedValues'] as unknown[]).join(', ')}`;
    case 'const':
      return `${JSON.stringify(params['allowedValue'])}`;
    case 'format':
      return `a ${String(params['format'])}`;
    case 'pattern':
      return `text that matches ${String(params['pattern'])}`;
    default:
      return (message ?? 'valid').replace(/^must (be )?/, '');
  }
}
