import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  compileRoutes,
  decide,
  hostName,
  normalizePath,
  publishedOf,
  type RouteRequest,
  routeTable,
} from '#areas/gateway/service.ts';
import type { Blobs } from '#core/blobs.ts';
import { Problem } from '#core/problem.ts';
import { actorTypes } from '#core/scopes.ts';
import { readPage, toPage } from '#http/paging.ts';
import { type Manifest, partId, readManifest } from './artefact.ts';
import {
  FileList,
  FilesQuery,
  FunctionList,
  RouteList,
  RouteTest,
  RouteVerdict,
  VariableList,
} from './inspect-schema.ts';
import { type ReachDeps, reach } from './reach.ts';
import { DeploymentPath } from './schema.ts';
import type { DeploymentRow } from './store.ts';
import type { VariableSource } from './variables.ts';

const tags = ['Deployments'];
const reads = {
  scope: 'network:deployments:read',
  actors: actorTypes,
  checksRole: { organization: 'MEMBER', application: 'MEMBER' },
} as const;
const fileLimit = 100;

/** What a deployment consists of, for people who look for the reason of something. */
export function inspectRoutes(deps: ReachDeps & { blobs: Blobs }): FastifyPluginAsyncTypebox {
  const manifestOf = async ({ artefact }: DeploymentRow): Promise<Manifest> => {
    if (!artefact) throw new Problem('conflict', 'The deployment has no files yet: its build has not ended.');
    return (await readManifest(deps.blobs, artefact)).manifest;
  };

  return async (app) => {
    app.get(
      '/deployments/:deploymentId/files',
      {
        config: { ...reads, errors: [409] },
        schema: {
          operationId: 'listDeploymentFiles',
          summary: 'List the published files of a deployment',
          tags,
          params: DeploymentPath,
          querystring: FilesQuery,
          response: { 200: FileList },
        },
      },
      async ({ auth, params, query }) => {
        const { row } = await reach(deps, auth, params.deploymentId, 'MEMBER');
        const { files } = await manifestOf(row);
        const { limit = fileLimit, after = '' } = readPage(query, () => true);
        const wanted = query.query?.toLowerCase() ?? '';
        const all = Object.entries(files)
          .filter(([path]) => path.toLowerCase().includes(wanted))
          .sort(([a], [b]) => (a < b ? -1 : 1));
        const rest = all.filter(([path]) => path > after).slice(0, limit + 1);
        return toPage(rest, {
          ...{ limit, total: all.length, sortKey: ([path]) => path },
          item: ([path, { slice, type, immutable, br, gzip }]) => ({
            ...{ id: partId(row.id, 'file', path), path, bytes: slice[2], type },
            immutable: immutable ?? false,
            brotliBytes: br?.[2] ?? null,
            gzipBytes: gzip?.[2] ?? null,
          }),
        });
      },
    );

    app.get(
      '/deployments/:deploymentId/functions',
      {
        config: { ...reads, errors: [409] },
        schema: {
          operationId: 'listDeploymentFunctions',
          summary: 'List the functions of a deployment',
          tags,
          params: DeploymentPath,
          response: { 200: FunctionList },
        },
      },
      async ({ auth, params }) => {
        const { row } = await reach(deps, auth, params.deploymentId, 'MEMBER');
        const { functions } = await manifestOf(row);
        const items = functions.map((one) => ({
          ...{ id: partId(row.id, 'function', one.name), name: one.name, runtime: one.runtime },
          ...{ memoryMegabytes: one.memoryMegabytes, maxDurationSeconds: one.maxDurationSeconds },
          ...{ schedule: one.schedule, packageBytes: one.packageBytes ?? null },
        }));
        return { items, total: items.length };
      },
    );

    app.get(
      '/deployments/:deploymentId/routes',
      {
        config: { ...reads, errors: [409] },
        schema: {
          operationId: 'listDeploymentRoutes',
          summary: 'List the routes of a deployment',
          description: 'Compiled routes from its configuration or framework. The first match applies.',
          tags,
          params: DeploymentPath,
          response: { 200: RouteList },
        },
      },
      async ({ auth, params }) => {
        const { row } = await reach(deps, auth, params.deploymentId, 'MEMBER');
        const { routes } = await manifestOf(row);
        const items = routes.map((route, index) => ({
          ...route,
          index,
          destination: route.destination ?? null,
        }));
        return { items, total: items.length };
      },
    );

    app.post(
      '/deployments/:deploymentId/routes/test',
      {
        config: { ...reads, errors: [409] },
        schema: {
          operationId: 'testDeploymentRoutes',
          summary: 'Test which route takes a URL',
          tags,
          params: DeploymentPath,
          body: RouteTest,
          response: { 200: RouteVerdict },
        },
      },
      async ({ auth, params, body }) => {
        const { row } = await reach(deps, auth, params.deploymentId, 'MEMBER');
        const manifest = await manifestOf(row);
        return verdictOn(manifest, body);
      },
    );

    app.get(
      '/deployments/:deploymentId/variables',
      {
        config: reads,
        schema: {
          operationId: 'listDeploymentVariables',
          summary: 'List the variables of a deployment',
          description:
            'Names and sources of the variables at the time of deployment. Values are never included.',
          tags,
          params: DeploymentPath,
          response: { 200: VariableList },
        },
      },
      async ({ auth, params }) => {
        const { row } = await reach(deps, auth, params.deploymentId, 'MEMBER');
        const items = JSON.parse(row.variable_sources ?? '[]') as VariableSource[];
        return { items, total: items.length };
      },
    );
  };
}

const maxSteps = 200;

function verdictOn(
  manifest: Manifest,
  wanted: { url: string; method?: string; headers?: Record<string, string> },
) {
  const { url, method = 'GET' } = wanted;
  const headers = new Map(
    Object.entries(wanted.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const [, origin = '', rest = '/'] = /^(https?:\/\/[^/?#]*)?(.*)$/is.exec(url) ?? [];
  const [target = '', query = ''] = (rest.split('#', 1)[0] ?? '').split(/\?(.*)/s);
  const path = normalizePath(target === '' ? '/' : target);
  const nothing = { route: null, target: null, status: null, headers: {}, steps: [] };
  if (path === null) return { kind: 'bad_request' as const, ...nothing, status: 400 };
  const steps: { route: number; source: string; result: string }[] = [];
  const request: RouteRequest = {
    ...{ method, path, query, host: headers.get('host') ?? hostName(origin.replace(/^https?:\/\//i, '')) },
    // Somebody who asks for an address means to open it.
    header: (name) => headers.get(name) ?? (name === 'accept' ? 'text/html' : undefined),
  };
  const decision = decide(
    routeTable(compileRoutes(manifest.routes)),
    publishedOf(manifest),
    request,
    (route, result) => {
      if (steps.length < maxSteps)
        steps.push({ route, source: manifest.routes[route]?.source ?? '', result });
    },
  );
  const targets = {
    file: () => (decision as { path: string }).path,
    function: () => (decision as { name: string }).name,
    proxy: () => (decision as { url: string }).url,
    redirect: () => (decision as { location: string }).location,
    missing: () => (decision as { page: string | null }).page,
  };
  return {
    ...{ kind: decision.kind, route: decision.route ?? null, target: targets[decision.kind]() },
    ...{ status: decision.status ?? null, headers: { ...decision.headers }, steps },
  };
}
