import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Environments } from '#accounts/applications/service.ts';
import { type AuditSource, audit, requestSource } from '#accounts/audit-log/service.ts';
import type { Db, Tx } from '#core/db.ts';
import { announce } from '#core/notifications.ts';
import { actorTypes } from '#core/scopes.ts';
import { ApplicationPath, PurgeCache } from '../schema.ts';
import { type Purge, purgeKey } from './purges.ts';

/** Tells every node what it must not serve from memory any more. */
export function announcePurges(tx: Tx, environmentId: string, purges: readonly Purge[]): void {
  for (const purge of purges) announce(tx, 'gateway_purge', purgeKey(environmentId, purge));
}

export function cacheRoutes({
  db,
  environments,
}: {
  db: Db;
  environments: Environments;
}): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/applications/:applicationId/cache/purge',
      {
        config: {
          scope: 'network:deployments:read',
          actors: actorTypes,
          role: 'ADMIN',
          product: 'deployments',
        },
        schema: {
          operationId: 'purgeGatewayCache',
          summary: 'Purge the gateway cache of an application',
          description:
            'Purges responses cached by the gateway by tag (`Cache-Tag`), by path, or all if neither is given. Takes effect within a second on every node. Tokens of a deployment can purge only their own environment.',
          tags: ['Deployments'],
          params: ApplicationPath,
          body: PurgeCache,
          response: { 204: { type: 'null', description: 'Purged.' } },
        },
      },
      async (request, reply) => {
        const { auth, params, body, organizationId } = request;
        const { environment, tags = [], paths = [] } = body;
        const isAll = environment === undefined && auth.actor.environmentId === null;
        const wanted = isAll
          ? await environments.visibleTo(auth, params.applicationId)
          : [await environments.resolve(auth, params.applicationId, environment)];
        const named: Purge[] = [
          ...tags.map((value) => ({ kind: 'tag' as const, value })),
          ...paths.map((value) => ({ kind: 'path' as const, value })),
        ];
        const purges: Purge[] = named.length === 0 ? [{ kind: 'all' }] : named;
        const source: AuditSource = requestSource(request);
        await db.write(async (tx) => {
          for (const { id } of wanted) announcePurges(tx, id, purges);
          await audit(tx, source, {
            ...{ organizationId, targetType: 'application', targetId: params.applicationId },
            action: 'gateway_cache.purged',
            details: { environments: wanted.map(({ slug }) => slug), tags, paths },
          });
        });
        return reply.code(204).send(null);
      },
    );
  };
}
