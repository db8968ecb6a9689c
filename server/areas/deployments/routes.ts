import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Environments, environmentForBranch } from '#accounts/applications/service.ts';
import { requestSource } from '#accounts/audit-log/service.ts';
import { type Addresses, toHostname } from '#areas/hostnames/service.ts';
import type { Auth } from '#core/actor.ts';
import type { Clock } from '#core/clock.ts';
import type { Tx } from '#core/db.ts';
import { Problem } from '#core/problem.ts';
import { actorTypes } from '#core/scopes.ts';
import type { Once } from '#http/idempotency.ts';
import { readPage, toPage } from '#http/paging.ts';
import { hostnamesOf, liveIds } from './live-store.ts';
import { countLog, logLines } from './log-store.ts';
import { type ReachDeps, reach, reachApplication, reachOrganization } from './reach.ts';
import { toDeployment, toLogLine } from './render.ts';
import {
  CreateDeployment,
  Deployment,
  DeploymentList,
  DeploymentPath,
  DeploymentsQuery,
  HostnameList,
  LogPage,
  LogQuery,
  RedeployQuery,
} from './schema.ts';
import { again, cancel, createDeployment, deleteDeployment, redeploy } from './service.ts';
import { count, list } from './store.ts';
import { pointAt } from './switch.ts';

const tags = ['Deployments'];
const reads = {
  scope: 'network:deployments:read',
  actors: actorTypes,
  checksRole: { organization: 'MEMBER', application: 'MEMBER' },
} as const;
const writers = ['user', 'organization', 'application'] as const;
const asAdmin = { organization: 'ADMIN', application: 'ADMIN' } as const;
const asOwner = { organization: 'OWNER', application: 'OWNER' } as const;
const writes = { scope: 'network:deployments:write', actors: writers, checksRole: asAdmin } as const;
const triggers = { scope: 'network:deployments:trigger', actors: writers, checksRole: asAdmin } as const;

const totalCap = 10_000;
const listLimit = 100;
const logLimit = 100;
const endLines = 1000;

export interface RouteDeps extends ReachDeps {
  clock: Clock;
  once: Once;
  environments: Environments;
  addresses: Addresses;
  endKeys(tx: Tx, of: { applicationId: string; deploymentId: string }): Promise<void>;
}

export function deploymentRoutes(deps: RouteDeps): FastifyPluginAsyncTypebox {
  const { db, clock, once, environments, addresses } = deps;
  const shown = async (row: Parameters<typeof toDeployment>[0]) =>
    toDeployment(row, (await liveIds(db, [row.id])).has(row.id));

  /** The environment that a new deployment goes to: named, by its branch, else the default one. */
  const target = async (
    auth: Auth,
    applicationId: string,
    wanted: { environment: string | undefined; branch: string | undefined },
  ) => {
    if (wanted.environment !== undefined || wanted.branch === undefined)
      return environments.resolve(auth, applicationId, wanted.environment);
    const visible = await environments.visibleTo(auth, applicationId);
    const found = environmentForBranch(visible, wanted.branch);
    if (found) return found;
    throw new Problem(
      'invalid_request',
      `No environment of the application takes the branch "${wanted.branch}".`,
    );
  };

  return async (app) => {
    app.post(
      '/deployments',
      {
        config: { ...writes, once: true },
        schema: {
          operationId: 'createDeployment',
          summary: 'Create a deployment',
          description:
            'The deployment waits for its archive: start an upload, send its parts, then complete it.',
          tags,
          body: CreateDeployment,
          response: { 200: Deployment },
        },
      },
      async (request) => {
        const { auth, body } = request;
        const organizationId = await reachApplication(deps, auth, body.applicationId, 'ADMIN');
        const branch = body.branch ?? body.gitSource?.ref.replace(/^refs\/heads\//, '');
        const environment = await target(auth, body.applicationId, { environment: body.environment, branch });
        return once(request, async (tx) => {
          const row = await createDeployment(tx, clock, requestSource(request), {
            ...{ applicationId: body.applicationId, organizationId, environment },
            branch: branch ?? null,
            gitSha: body.gitSource?.sha ?? null,
            prebuilt: body.prebuilt ?? false,
          });
          return toDeployment(row, false);
        });
      },
    );

    app.get(
      '/deployments',
      {
        config: reads,
        schema: {
          operationId: 'listDeployments',
          summary: 'List deployments',
          description: 'Newest first.',
          tags,
          querystring: DeploymentsQuery,
          response: { 200: DeploymentList },
        },
      },
      async ({ auth, query }) => {
        const { actor } = auth;
        const { organizationId, applicationId, status } = query;
        if (organizationId) await reachOrganization(deps, auth, organizationId, 'MEMBER');
        if (applicationId) await reachApplication(deps, auth, applicationId, 'MEMBER');
        const filter = {
          organizationId: organizationId ?? actor.organizationId ?? undefined,
          applicationId: applicationId ?? actor.applicationId ?? undefined,
          memberId: actor.type === 'user' ? actor.id : undefined,
          environmentId: actor.environmentId ?? undefined,
          status,
        };
        const { limit = listLimit, after } = readPage(query);
        const [rows, found] = await Promise.all([
          list(db, filter, { limit: limit + 1, after }),
          count(db, filter, totalCap + 1),
        ]);
        const live = await liveIds(
          db,
          rows.map(({ id }) => id),
        );
        const total = Math.min(found, totalCap);
        const item = (row: (typeof rows)[number]) => toDeployment(row, live.has(row.id));
        const page = toPage(rows, { limit, total, sortKey: ({ id }) => id, item });
        return found > totalCap ? { ...page, totalCapped: true } : page;
      },
    );

    app.get(
      '/deployments/:deploymentId',
      {
        config: reads,
        schema: {
          operationId: 'getDeployment',
          summary: 'Get a deployment',
          tags,
          params: DeploymentPath,
          response: { 200: Deployment },
        },
      },
      async ({ auth, params }) => shown((await reach(deps, auth, params.deploymentId, 'MEMBER')).row),
    );

    app.get(
      '/deployments/:deploymentId/hostnames',
      {
        config: reads,
        schema: {
          operationId: 'listDeploymentHostnames',
          summary: 'List the hostnames of a deployment',
          description: 'Hostnames that currently point to it, the application’s own first.',
          tags,
          params: DeploymentPath,
          response: { 200: HostnameList },
        },
      },
      async ({ auth, params }) => {
        const { row } = await reach(deps, auth, params.deploymentId, 'MEMBER');
        const order = ['APP', 'BRANCH', 'DEPLOYMENT'];
        const rows = await hostnamesOf(db, row.id);
        const sorted = rows.sort((a, b) => order.indexOf(a.type) - order.indexOf(b.type));
        return { items: sorted.map((one) => toHostname(one, addresses)), total: sorted.length };
      },
    );

    app.get(
      '/deployments/:deploymentId/logs',
      {
        config: reads,
        schema: {
          operationId: 'listDeploymentLogs',
          summary: 'List the log of a deployment',
          description: 'Output of the deployment until it was active or failed, oldest first.',
          tags,
          params: DeploymentPath,
          querystring: LogQuery,
          response: { 200: LogPage },
        },
      },
      async ({ auth, params, query }) => {
        const { row } = await reach(deps, auth, params.deploymentId, 'MEMBER');
        const { offset = 0, limit = logLimit } = query;
        const since = query['createdAt[gt]'];
        const after = since === undefined ? undefined : Date.parse(since);
        // Clients read once more after the end, and then stop: they get all that they would miss.
        const hasEnded = row.status === 'ACTIVE' || row.status === 'FAILED';
        const page = { offset, limit: hasEnded ? Math.max(limit, endLines) : limit, after };
        const rows = await logLines(db, row.id, page);
        const totalItems = await countLog(db, row.id, after);
        return { totalItems, limit, offset, items: rows.map(toLogLine) };
      },
    );

    app.post(
      '/deployments/:deploymentId/cancel',
      {
        config: triggers,
        schema: {
          operationId: 'cancelDeployment',
          summary: 'Cancel a deployment',
          tags,
          params: DeploymentPath,
          response: { 200: Deployment },
        },
      },
      async (request) => {
        const { row, organizationId } = await reach(deps, request.auth, request.params.deploymentId, 'ADMIN');
        const source = requestSource(request);
        const after = await db.write(async (tx) =>
          cancel(tx, source, organizationId, await again(tx, row.id), clock.now()),
        );
        return shown(after);
      },
    );

    for (const [name, what, summary] of [
      ['promote', 'promoted', 'Promote a deployment'],
      ['rollback', 'rolled_back', 'Roll back to a deployment'],
    ] as const) {
      app.post(
        `/deployments/:deploymentId/${name}`,
        {
          config: triggers,
          schema: {
            operationId: `${name}Deployment`,
            summary,
            description:
              'The hostnames of its environment point to it immediately, with the variables that it was deployed with.',
            tags,
            params: DeploymentPath,
            response: { 200: Deployment },
          },
        },
        async (request) => {
          const { auth, params } = request;
          const { row, organizationId } = await reach(deps, auth, params.deploymentId, 'ADMIN');
          const environment = await environments.resolve(auth, row.application_id, row.environment_id);
          const source = requestSource(request);
          await db.write(async (tx) => {
            const current = await again(tx, row.id);
            await pointAt(tx, source, organizationId, current, environment, what, clock.now());
          });
          return shown(row);
        },
      );
    }

    app.post(
      '/deployments/:deploymentId/redeploy',
      {
        config: { ...triggers, once: true },
        schema: {
          operationId: 'redeployDeployment',
          summary: 'Redeploy a deployment',
          description:
            'Creates a deployment with the same files and the current variables, without a build. `environment` (slug or id) deploys to ' +
            'another environment of the application: a preview to production, for example.',
          tags,
          params: DeploymentPath,
          querystring: RedeployQuery,
          response: { 200: Deployment },
        },
      },
      async (request) => {
        const { auth, params, query } = request;
        const { row, organizationId } = await reach(deps, auth, params.deploymentId, 'ADMIN');
        const wanted = query.environment ?? row.environment_id;
        const { id } = await environments.resolve(auth, row.application_id, wanted);
        return once(request, async (tx) => {
          const source = requestSource(request);
          const made = await redeploy(tx, clock, source, organizationId, await again(tx, row.id), id);
          return toDeployment(made, false);
        });
      },
    );

    app.delete(
      '/deployments/:deploymentId',
      {
        config: { ...writes, checksRole: asOwner },
        schema: {
          operationId: 'deleteDeployment',
          summary: 'Delete a deployment',
          tags,
          params: DeploymentPath,
          response: { 204: { type: 'null', description: 'Deleted.' } },
        },
      },
      async (request, reply) => {
        const { row, organizationId } = await reach(deps, request.auth, request.params.deploymentId, 'OWNER');
        const source = requestSource(request);
        await db.write(async (tx) => {
          await deleteDeployment(tx, source, organizationId, await again(tx, row.id));
          await deps.endKeys(tx, { applicationId: row.application_id, deploymentId: row.id });
        });
        return reply.code(204).send(null);
      },
    );
  };
}
