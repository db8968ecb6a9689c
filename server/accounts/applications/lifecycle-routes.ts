import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requestSource } from '#accounts/audit-log/service.ts';
import { Problem } from '#core/problem.ts';
import { demandRoom } from './limits.ts';
import { toApplication } from './render.ts';
import { demandAdmin, type RouteDeps, tags, writes } from './routes.ts';
import { Application, ApplicationPath, TransferApplication } from './schema.ts';
import { deleteApplication, present, restoreApplication } from './service.ts';
import { type Transferred, transferApplication } from './transfer.ts';

export function lifecycleRoutes(
  deps: RouteDeps & { graceSeconds: number; told: readonly Transferred[] },
): FastifyPluginAsyncTypebox {
  const { db, clock, tenancy, baseUrl, quota, graceSeconds } = deps;

  return async (app) => {
    app.delete(
      '/applications/:applicationId',
      {
        config: writes,
        schema: {
          operationId: 'deleteApplication',
          summary: 'Delete an application',
          description:
            'Its keys, deployments, files and cache become unavailable immediately. It can be restored with all of them for a limited time.',
          tags,
          params: ApplicationPath,
          response: { 204: { type: 'null', description: 'Deleted.' } },
        },
      },
      async (request, reply) => {
        await db.write(async (tx) => {
          const row = await present(tx, request.params.applicationId);
          await deleteApplication(tx, requestSource(request), row, clock.now());
        });
        return reply.code(204).send(null);
      },
    );

    app.post(
      '/applications/:applicationId/restore',
      {
        config: { ...writes, whileDeleted: true },
        schema: {
          operationId: 'restoreApplication',
          summary: 'Restore a deleted application',
          tags,
          params: ApplicationPath,
          response: { 200: Application },
        },
      },
      async (request) => {
        const row = await db.write(
          async (tx) => {
            const now = clock.now();
            const before = await present(tx, request.params.applicationId, { whileDeleted: true });
            if (before.deleted_at !== null && before.deleted_at + graceSeconds * 1000 <= now)
              throw new Problem('not_found', 'The application can no longer be restored.');
            await demandRoom(tx, before.organization_id, quota);
            return restoreApplication(tx, requestSource(request), before, now);
          },
          { queue: `applications-of:${request.organizationId}` },
        );
        return toApplication(row, baseUrl);
      },
    );

    app.post(
      '/applications/:applicationId/transfer',
      {
        config: { ...writes, role: 'OWNER', actors: ['user'] },
        schema: {
          operationId: 'transferApplication',
          summary: 'Transfer an application to another organization that you own',
          description: 'Tokens issued to its keys stop working; the keys move with it.',
          tags,
          params: ApplicationPath,
          body: TransferApplication,
          response: { 200: Application },
        },
      },
      async (request) => {
        const to = request.body.organizationId.toLowerCase();
        await demandAdmin(tenancy, request.auth, to);
        if ((await tenancy.roleIn(request.auth, to)) !== 'OWNER')
          throw new Problem('forbidden', 'You have to be an owner of the organization that receives it.');
        const row = await db.write(
          async (tx) => {
            const before = await present(tx, request.params.applicationId);
            if (before.organization_id !== to) await demandRoom(tx, to, quota);
            const target = { to, now: clock.now() };
            return transferApplication(tx, deps, requestSource(request), before, target);
          },
          { queue: `applications-of:${to}` },
        );
        return toApplication(row, baseUrl);
      },
    );
  };
}
