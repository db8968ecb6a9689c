import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { audit, requestSource } from '#accounts/audit-log/service.ts';
import { announcePurges, imageTags, policyOf } from '#areas/gateway/service.ts';
import type { Blobs } from '#core/blobs.ts';
import { actorTypes } from '#core/scopes.ts';
import { readManifest } from './artefact.ts';
import { ImageCache, ImageCacheQuery, PurgedImages } from './inspect-schema.ts';
import { type ReachDeps, reach } from './reach.ts';
import { DeploymentPath } from './schema.ts';

const tags = ['Deployments'];
/** Code of a deployment looks after its own images; an actor with an environment acts in that one alone. */
const config = {
  scope: 'network:deployments:read',
  actors: actorTypes,
  checksRole: { organization: 'ADMIN', application: 'ADMIN' },
} as const;

/** What the image path keeps of a deployment. */
export function imageCacheRoutes(deps: ReachDeps & { blobs: Blobs }): FastifyPluginAsyncTypebox {
  const { db, blobs } = deps;
  return async (app) => {
    app.get(
      '/deployments/:deploymentId/image-cache',
      {
        config,
        schema: {
          operationId: 'getImageCache',
          summary: 'Get the image cache of a deployment',
          tags,
          params: DeploymentPath,
          querystring: ImageCacheQuery,
          response: { 200: ImageCache },
        },
      },
      async ({ auth, params, query }) => {
        const { row } = await reach(deps, auth, params.deploymentId, 'MEMBER');
        const [deploymentTag = '', sourceTag = null] = imageTags(row.id, query.source ?? null);
        if (!row.artefact) return { enabled: false, deploymentTag, sourceTag, policy: null };
        const { manifest } = await readManifest(blobs, row.artefact);
        return { enabled: true, deploymentTag, sourceTag, policy: { ...policyOf(manifest.images) } };
      },
    );

    app.delete(
      '/deployments/:deploymentId/image-cache',
      {
        config,
        schema: {
          operationId: 'purgeImageCache',
          summary: 'Purge the image cache of a deployment',
          description: 'Purges all of its images, or those of one source.',
          tags,
          params: DeploymentPath,
          querystring: ImageCacheQuery,
          response: { 200: PurgedImages },
        },
      },
      async (request) => {
        const { auth, params, query } = request;
        const { row, organizationId } = await reach(deps, auth, params.deploymentId, 'ADMIN');
        const tag = imageTags(row.id, query.source ?? null).at(-1) ?? '';
        await db.write(async (tx) => {
          announcePurges(tx, row.environment_id, [{ kind: 'tag', value: tag }]);
          await audit(tx, requestSource(request), {
            organizationId,
            targetType: 'deployment',
            targetId: row.id,
            action: 'deployment.images_purged',
            details: { applicationId: row.application_id, source: query.source ?? null },
          });
        });
        return { purged: true as const, tag };
      },
    );
  };
}
