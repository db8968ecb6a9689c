import querystring from 'node:querystring';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { Problem } from '#core/problem.ts';
import { tooLarge } from '#http/errors.ts';

/** The fields of a form, each once. */
export type FormFields = Record<string, string>;

const maxFields = 100;

function repeated(name: string): Problem {
  return new Problem('invalid_request', `The field "${name.slice(0, 100)}" is given twice.`);
}

/** application/x-www-form-urlencoded */
export function parseUrlencoded(text: string): FormFields {
  const parsed = querystring.parse(text, '&', '=', { maxKeys: maxFields });
  for (const name in parsed) if (Array.isArray(parsed[name])) throw repeated(name);
  return parsed as FormFields;
}

/** multipart/form-data without files. The stream is bounded by the route's body limit already. */
export function parseMultipart(
  headers: BusboyHeaders,
  stream: Readable,
  maxBytes: number,
): Promise<FormFields> {
  const { promise, resolve, reject } = Promise.withResolvers<FormFields>();
  const fields: FormFields = Object.create(null);
  const fail = (problem: Problem) => {
    stream.unpipe();
    stream.resume();
    reject(problem);
  };
  const malformed = (cause: unknown) => {
    fail(new Problem('invalid_request', 'The multipart body is malformed or cut off.', { cause }));
  };
  let received = 0;
  stream.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received > maxBytes) fail(tooLarge());
  });
  let parser: InstanceType<typeof Busboy>;
  try {
    parser = new Busboy({
      headers,
      limits: { fields: maxFields, fieldSize: maxBytes, files: 1, parts: maxFields + 1 },
    });
  } catch (error) {
    malformed(error);
    return promise;
  }
  parser.on('file', (name, file) => {
    file.resume();
    fail(
      new Problem('invalid_request', `The field "${name.slice(0, 100)}" is a file; send it as plain text.`),
    );
  });
  parser.on('field', (name, value) => {
    if (name in fields) fail(repeated(name));
    else fields[name] = value;
  });
  parser.on('partsLimit', () =>
    fail(new Problem('invalid_request', `A form has at most ${maxFields} fields.`)),
  );
  parser.on('error', malformed);
  parser.on('finish', () => resolve(fields));
  stream.on('error', malformed);
  stream.pipe(parser);
  return promise;
}

interface BodySchema {
  properties?: Record<string, { type?: string }>;
}

/**
 * Forms carry text only: turns it into the booleans and numbers that the route's schema asks for. Text that is none
 * stays as it is, and validation names it.
 */
export function coerceFields(fields: FormFields, schema: BodySchema): Record<string, unknown> {
  const values: Record<string, unknown> = { ...fields };
  for (const [name, { type }] of Object.entries(schema.properties ?? {})) {
    const text = fields[name];
    if (text === undefined) continue;
    if (type === 'boolean' && (text === 'true' || text === 'false')) values[name] = text === 'true';
    if ((type === 'integer' || type === 'number') && /^-?\d{1,15}$/.test(text)) values[name] = Number(text);
  }
  return values;
}
