import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { audit } from '#accounts/audit-log/service.ts';
import { findUser } from '#accounts/users/service.ts';
import type { Clock } from '#core/clock.ts';
import type { Db, Tx } from '#core/db.ts';
import { displayName } from '#core/names.ts';
import { announce } from '#core/notifications.ts';
import { redraw } from '#core/picture.ts';
import { problemSender } from '#http/errors.ts';
import { asPicture } from '#http/picture.ts';
import { PeopleProblem, peopleSkin } from '../errors.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { toPerson } from './person.ts';
import { findPicture, removePicture, storePicture } from './picture-store.ts';
import { ChangeProfile, Person, PicturePath } from './schema.ts';
import { type ProfileChanges, updateProfile } from './store.ts';

const tags = ['Your account'];
const config = { public: true, session: true } as const;

/** What people are called, and what they look like. */
export function profileRoutes(deps: {
  db: Db;
  clock: Clock;
  log: Logger;
  sessions: Sessions;
  baseUrl: string;
  maxPictureBytes: number;
}): FastifyPluginAsyncTypebox {
  const { db, clock, log, sessions, baseUrl, maxPictureBytes } = deps;

  const change = async (tx: Tx, request: FastifyRequest, userId: string, changes: ProfileChanges) => {
    await updateProfile(tx, userId, { ...changes, updated_at: clock.now() });
    const source = { actorType: 'user', actorId: userId, requestId: request.id };
    const target = { organizationId: null, targetType: 'user', targetId: userId };
    await audit(tx, source, { ...target, action: 'user.profile_updated', details: { ...changes } });
    announce(tx, 'user', userId);
  };

  const me = async (userId: string) => {
    const user = await findUser(db, userId);
    if (!user) throw new PeopleProblem('unauthenticated', 'UNAUTHENTICATED', 'Sign in first.');
    return toPerson(db, user);
  };

  return async (app) => {
    app.setErrorHandler(problemSender(log, peopleSkin));

    app.patch(
      '/idp/profile',
      {
        config,
        schema: {
          operationId: 'updateProfile',
          summary: 'Update your profile',
          tags,
          body: ChangeProfile,
          response: { 200: Person },
        },
      },
      async (request) => {
        const { userId } = await sessions.demand(request);
        const { name, givenName, familyName } = request.body;
        const optional = (given: string | null, field: string) =>
          given === null ? null : displayName(given, field);
        const changes = {
          ...(name === undefined ? {} : { name: displayName(name, 'name') }),
          ...(givenName === undefined ? {} : { given_name: optional(givenName, 'givenName') }),
          ...(familyName === undefined ? {} : { family_name: optional(familyName, 'familyName') }),
        };
        await db.write((tx) => change(tx, request, userId, changes));
        return me(userId);
      },
    );

    app.put(
      '/idp/profile/image',
      {
        bodyLimit: maxPictureBytes,
        // Before the body is read: strangers get no megabytes of memory.
        onRequest: async (request) => void (await sessions.demand(request)),
        config: { ...config, bytes: 'image/' },
        schema: {
          operationId: 'setProfileImage',
          summary: 'Upload your profile picture',
          description: 'JPEG, PNG, WebP, GIF or AVIF. It is resized to a square of 256 pixels.',
          tags,
          response: { 200: Person },
        },
      },
      async (request) => {
        const { userId } = await sessions.demand(request);
        const content = await redraw(request.body as Buffer);
        await db.write(async (tx) => {
          const id = await storePicture(tx, userId, content, clock.now());
          await change(tx, request, userId, { image_url: `${baseUrl}/idp/pictures/${id}` });
        });
        return me(userId);
      },
    );

    app.delete(
      '/idp/profile/image',
      {
        config,
        schema: {
          operationId: 'deleteProfileImage',
          summary: 'Delete your profile picture',
          tags,
          response: { 200: Person },
        },
      },
      async (request) => {
        const { userId } = await sessions.demand(request);
        await db.write(async (tx) => {
          await removePicture(tx, userId);
          await change(tx, request, userId, { image_url: null });
        });
        return me(userId);
      },
    );

    app.get(
      '/idp/pictures/:pictureId',
      { config: { public: true }, schema: { params: PicturePath } },
      async (request, reply) => {
        const picture = await findPicture(db, request.params.pictureId);
        if (!picture) throw new PeopleProblem('not_found', 'NOT_FOUND', 'There is no picture with this id.');
        return asPicture(reply, picture.content_type).send(Buffer.from(picture.content));
      },
    );
  };
}
