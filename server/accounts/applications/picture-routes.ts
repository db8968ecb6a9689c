import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requestSource } from '#accounts/audit-log/service.ts';
import { redraw } from '#core/picture.ts';
import { Problem } from '#core/problem.ts';
import { asPicture } from '#http/picture.ts';
import { findPicture, removePicture, storePicture } from './picture-store.ts';
import { toApplication } from './render.ts';
import { type RouteDeps, tags, writes } from './routes.ts';
import { Application, ApplicationPath, PicturePath } from './schema.ts';
import { present, setImageUrl } from './service.ts';

export function pictureRoutes(deps: RouteDeps & { maxPictureBytes: number }): FastifyPluginAsyncTypebox {
  const { db, clock, baseUrl, maxPictureBytes } = deps;

  return async (app) => {
    app.put(
      '/applications/:applicationId/image',
      {
        bodyLimit: maxPictureBytes,
        config: { ...writes, bytes: 'image/' },
        schema: {
          operationId: 'setApplicationImage',
          summary: 'Upload the picture of an application',
          description: 'JPEG, PNG, WebP, GIF or AVIF. It is resized to a square of 256 pixels.',
          tags,
          params: ApplicationPath,
          response: { 200: Application },
        },
      },
      async (request) => {
        const content = await redraw(request.body as Buffer);
        const row = await db.write(async (tx) => {
          const before = await present(tx, request.params.applicationId);
          const now = clock.now();
          const pictureId = await storePicture(tx, before.id, content, now);
          const imageUrl = `${baseUrl}/application-images/${pictureId}`;
          return setImageUrl(tx, requestSource(request), before, { imageUrl, now });
        });
        return toApplication(row, baseUrl);
      },
    );

    app.delete(
      '/applications/:applicationId/image',
      {
        config: writes,
        schema: {
          operationId: 'deleteApplicationImage',
          summary: 'Delete the picture of an application',
          description: 'The default avatar is shown again.',
          tags,
          params: ApplicationPath,
          response: { 200: Application },
        },
      },
      async (request) => {
        const row = await db.write(async (tx) => {
          const before = await present(tx, request.params.applicationId);
          await removePicture(tx, before.id);
          const change = { imageUrl: null, now: clock.now() };
          return setImageUrl(tx, requestSource(request), before, change);
        });
        return toApplication(row, baseUrl);
      },
    );

    app.get(
      '/application-images/:pictureId',
      { config: { public: true }, schema: { params: PicturePath } },
      async (request, reply) => {
        const picture = await findPicture(db, request.params.pictureId);
        if (!picture) throw new Problem('not_found', 'There is no picture with this id.');
        return asPicture(reply, picture.content_type).send(Buffer.from(picture.content));
      },
    );
  };
}
