import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** What openapi.json says of operations, held against what a test sees of them. */

type Operations = Record<string, { operationId: string; responses: Record<string, unknown> }>;

let known: Record<string, Operations> | undefined;

function operationOf({ method, routeOptions }: FastifyRequest) {
  known ??= JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')).paths;
  const template = routeOptions.url?.replace(/:(\w+)/g, '{$1}');
  return template === undefined ? undefined : known?.[template]?.[method.toLowerCase()];
}

/** For `node server/openapi/examples.ts`: what each operation was sent and answered when it first succeeded. */
function recordExamples(app: FastifyInstance, folder: string): void {
  mkdirSync(folder, { recursive: true });
  app.addHook('onSend', async (request, reply, payload) => {
    const operation = operationOf(request);
    if (!operation || reply.statusCode >= 300 || typeof payload !== 'string') return;
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json');
    const answer = isJson && payload !== '' ? JSON.parse(payload) : undefined;
    // An empty list shows nothing: a later one may.
    const isEmpty = answer !== undefined && 'items' in answer && answer.items.length === 0;
    const file = path.join(folder, `${operation.operationId}.json`);
    if (isEmpty || existsSync(file)) return;
    const body = request.body !== null && typeof request.body === 'object' ? request.body : undefined;
    writeFileSync(file, JSON.stringify({ status: reply.statusCode, body, answer }));
  });
}

/** Collects the statuses that routes answer with and that openapi.json does not have. */
export function watchStatuses(app: FastifyInstance): ReadonlySet<string> {
  const undescribed = new Set<string>();
  const folder = process.env['MAINSTAY_EXAMPLES_TO'];
  if (folder) recordExamples(app, folder);
  app.addHook('onResponse', async (request, reply) => {
    const operation = operationOf(request);
    const status = String(reply.statusCode);
    // What was never sent is no answer, and "not modified" is the same one as before.
    if (!operation || status === '499' || status === '304') return;
    if (status in operation.responses || `${status[0]}XX` in operation.responses) return;
    undescribed.add(`${operation.operationId} answered ${status}`);
  });
  return undescribed;
}
