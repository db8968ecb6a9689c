import recorded from './examples.json' with { type: 'json' };
import type { Example } from './examples.ts';
import { failureTexts, type Schema } from './failures.ts';
import { sampleOf } from './samples.ts';

/** What is said once for all operations: parameters by name, headers of every answer, tags. */

type MediaType = Schema & { schema: Schema };
type Resolve = (reference: string) => Schema;
type Operation = Schema & {
  operationId: string;
  tags?: string[];
  parameters?: (Schema & { name: string; in: string; schema?: Schema })[];
  requestBody?: Schema & { content: Record<string, MediaType> };
  responses: Record<string, Schema & { content?: Record<string, MediaType> }>;
};

const parameterTexts: Record<string, string> = {
  adminOrganizationId: 'Id of the organization.',
  actorId: 'Only changes by this actor.',
  action: 'Only this action, such as `api_key.created`.',
  targetType: 'Only changes to this type of target, such as `api_key`.',
  targetId: 'Only changes to the target with this id.',
  product: 'Slug of the product.',
  version: 'Number of the version.',
  prefix: 'Only keys with this prefix.',
  user_code: 'The code that the device shows.',
  name: 'Its name.',
  token: 'The token of the link.',
  scope: 'Scope of the variable.',
};

/** `apiKeyId`: "Id of the API key." */
function textOf(name: string): string | undefined {
  const known = parameterTexts[name];
  if (known) return known;
  const [, thing] = /^(\w+)Id$/.exec(name) ?? [];
  if (!thing) return undefined;
  const words = thing.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace('api key', 'API key');
  return `Id of the ${words}.`;
}

const header = (description: string, schema: Schema = { type: 'string' }) => ({ description, schema });
const requestId = header('Identifies the request in logs; include it when you ask for support.');
const retryAfter = header('Seconds to wait before retrying.', { type: 'integer' });
const challenge = header('What was wrong with the token (RFC 6750).');

const headers = { RequestId: requestId, RetryAfter: retryAfter, WwwAuthenticate: challenge };
const headerAt = (name: keyof typeof headers) => ({ $ref: `#/components/headers/${name}` });

function headersOf(status: string): Schema {
  return {
    'X-Request-Id': headerAt('RequestId'),
    ...(status === '429' || status === '503' ? { 'Retry-After': headerAt('RetryAfter') } : {}),
    ...(status === '401' ? { 'WWW-Authenticate': headerAt('WwwAuthenticate') } : {}),
  };
}

const errorSchema = '#/components/schemas/Error';

/** Failures in the shape of the API: one description for all operations. */
function failureResponses(): Schema {
  const responses = Object.entries(failureTexts).map(([status, description]) => {
    const example = { error: description };
    const content = { 'application/json': { schema: { $ref: errorSchema }, example } };
    return [`Error${status}`, { description, headers: headersOf(status), content }];
  });
  return Object.fromEntries(responses);
}

function isCommonFailure(status: string, { description, content }: Operation['responses'][string]): boolean {
  const isOurs = content?.['application/json']?.schema['$ref'] === errorSchema;
  return isOurs && description === failureTexts[Number(status)];
}

const successTexts: Record<string, string> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted; processing continues in the background.',
  204: 'Done; no content.',
  302: 'Redirect.',
  '4XX': 'Client error, in the format of this protocol.',
  '5XX': 'Server error, in the format of this protocol.',
};

/** Of a JSON body: what a test saw, or else what the schema says. */
function withExample(content: Record<string, MediaType>, seen: unknown, resolve: Resolve) {
  const json = content['application/json'];
  if (!json) return content;
  return { ...content, 'application/json': { ...json, example: seen ?? sampleOf(json.schema, resolve) } };
}

function finishOperation(operation: Operation, resolve: Resolve): Operation {
  const example = (recorded as Record<string, Example>)[operation.operationId];
  const parameters = operation.parameters?.map((parameter) => {
    const said = parameter['description'] ?? parameter.schema?.['description'];
    const description = said ?? textOf(parameter.name);
    return description === undefined ? parameter : { ...parameter, description };
  });
  const responses = Object.fromEntries(
    Object.entries(operation.responses).map(([status, response]) => {
      if (isCommonFailure(status, response))
        return [status, { $ref: `#/components/responses/Error${status}` }];
      const isSaid = response['description'] && response['description'] !== 'Default Response';
      const description = isSaid ? response['description'] : (successTexts[status] ?? 'Answered.');
      const sent = { ...headersOf(status), ...(response['headers'] as Schema) };
      const isSeen = status === String(example?.status);
      const { content } = response;
      const shown = content
        ? { content: withExample(content, isSeen ? example?.answer : undefined, resolve) }
        : {};
      return [status, { ...response, description, headers: sent, ...shown }];
    }),
  );
  const { requestBody } = operation;
  const asked = requestBody
    ? { requestBody: { ...requestBody, content: withExample(requestBody.content, example?.body, resolve) } }
    : {};
  return { ...operation, ...(parameters ? { parameters } : {}), ...asked, responses };
}

export function finish(document: Schema): Schema {
  const tags = new Set<string>();
  const { schemas } = document['components'] as { schemas: Record<string, Schema> };
  const resolve = (reference: string) => schemas[reference.replace(/^.*\//, '')] ?? {};
  const paths = Object.entries(document['paths'] as Record<string, Record<string, Operation>>).map(
    ([path, operations]) => {
      const finished = Object.entries(operations).map(([method, operation]) => {
        for (const tag of operation.tags ?? []) tags.add(tag);
        return [method, finishOperation(operation, resolve)];
      });
      return [path, Object.fromEntries(finished)];
    },
  );
  const declared = [...tags].sort().map((name) => ({ name }));
  const components = { ...(document['components'] as Schema), headers, responses: failureResponses() };
  return { ...document, tags: declared, components, paths: Object.fromEntries(paths) };
}
