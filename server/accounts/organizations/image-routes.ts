import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { minidenticon } from 'minidenticons';
import { requestSource } from '#accounts/audit-log/service.ts';
import type { Clock } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { redraw } from '#core/picture.ts';
import { Problem } from '#core/problem.ts';
import { asPicture } from '#http/picture.ts';
import { OrganizationPath } from '#http/schema.ts';
import { findImage, removeImages, storeImage } from './image-store.ts';
import { toOrganization } from './render.ts';
import { AvatarPath, ImagePath, Organization } from './schema.ts';
import { setImageUrl } from './service.ts';
import { find } from './store.ts';

const ownerWrites = { scope: 'platform:organizations:write', actors: ['user'], role: 'OWNER' } as const;
const tags = ['Organizations'];

export function imageRoutes(deps: {
  db: Db;
  clock: Clock;
  baseUrl: string;
  maxBytes: number;
}): FastifyPluginAsyncTypebox {
  const { db, clock, baseUrl, maxBytes } = deps;

  return async (app) => {
    app.put(
      '/organizations/:organizationId/image',
      {
        bodyLimit: maxBytes,
        config: { ...ownerWrites, bytes: 'image/' },
        schema: {
          operationId: 'setOrganizationImage',
          summary: 'Upload the picture of an organization',
          description: 'JPEG, PNG, WebP, GIF or AVIF. It is resized to a square of 256 pixels.',
          tags,
          params: OrganizationPath,
          response: { 200: Organization },
        },
      },
      async (request) => {
        const content = await redraw(request.body as Buffer);
        const row = await db.write(async (tx) => {
          const before = await find(tx, request.organizationId);
          if (!before)
            throw new Problem('not_found', 'No organization with this id is visible to this token.');
          const now = clock.now();
          const imageUrl = `${baseUrl}/images/${await storeImage(tx, before.id, content, now)}`;
          return setImageUrl(tx, requestSource(request), before, { imageUrl, now });
        });
        return toOrganization(row, baseUrl);
      },
    );

    app.delete(
      '/organizations/:organizationId/image',
      {
        config: ownerWrites,
        schema: {
          operationId: 'deleteOrganizationImage',
          summary: 'Delete the picture of an organization',
          tags,
          params: OrganizationPath,
          response: { 200: Organization },
        },
      },
      async (request) => {
        const row = await db.write(async (tx) => {
          const before = await find(tx, request.organizationId);
          if (!before)
            throw new Problem('not_found', 'No organization with this id is visible to this token.');
          await removeImages(tx, before.id);
          const change = { imageUrl: null, now: clock.now() };
          return setImageUrl(tx, requestSource(request), before, change);
        });
        return toOrganization(row, baseUrl);
      },
    );

    app.get(
      '/images/:imageId',
      {
        config: { public: true },
        schema: { params: ImagePath },
      },
      async (request, reply) => {
        const image = await findImage(db, request.params.imageId);
        if (!image) throw new Problem('not_found', 'There is no image with this id.');
        return asPicture(reply, image.content_type).send(Buffer.from(image.content));
      },
    );

    // Drawn from the id alone: it says nothing of whether there is such an organization.
    app.get(
      '/avatars/:name',
      { config: { public: true }, schema: { params: AvatarPath } },
      async (request, reply) =>
        asPicture(reply, 'image/svg+xml').send(minidenticon(request.params.name.replace('.svg', ''), 55, 55)),
    );
  };
}
