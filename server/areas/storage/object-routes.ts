import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Once } from '#http/idempotency.ts';
import { encodeCursor } from '#http/paging.ts';
import { checkContentType, checkHeaderText } from './content-type.ts';
import { contentForCopy, demandPresent, moveObject } from './copies.ts';
import { trashObject } from './deletion.ts';
import { cappedTotal, countKeys, listObjects } from './list-store.ts';
import { checkKey, checkPrefix } from './names.ts';
import {
  AccessUrl,
  AccessUrlQuery,
  ChangeProperties,
  CopyObject,
  ListObjectsQuery,
  MoveObject,
  ObjectList,
  ObjectProperties,
  StoredObject,
} from './object-schema.ts';
import { findObject, type ObjectRow, updateObject } from './object-store.ts';
import { attributesOf, type ObjectAttributes, putObject } from './objects.ts';
import { toObject, toProperties } from './render.ts';
import {
  bucketOf,
  deleters,
  noObject,
  type RouteDeps,
  readers,
  readPaging,
  tags,
  writers,
} from './requests.ts';
import { bucketQueue } from './rules.ts';
import { BucketPath, EnvironmentQuery, ObjectPath } from './schema.ts';
import type { BucketRow } from './store.ts';

const objects = '/applications/:applicationId/storage/buckets/:bucket/objects';

export function objectRoutes(deps: RouteDeps & { once: Once }): FastifyPluginAsyncTypebox {
  const { db, clock, once, addresses } = deps;

  /** The live object of a request. */
  async function liveOf(bucket: BucketRow, objectId: string): Promise<ObjectRow> {
    const row = await findObject(db, bucket.id, objectId);
    if (row?.state !== 'live') throw noObject();
    return row;
  }

  return async (app) => {
    app.get(
      objects,
      {
        config: readers,
        schema: {
          operationId: 'listStorageObjects',
          summary: 'List objects by key',
          tags,
          params: BucketPath,
          querystring: ListObjectsQuery,
          response: { 200: ObjectList },
        },
      },
      async (request) => {
        const bucket = await bucketOf(deps, request);
        const { prefix = '', delimiter = '/' } = request.query;
        checkPrefix(prefix, 'prefix');
        checkPrefix(delimiter, 'delimiter');
        const { limit, after } = readPaging(request.query, (text) => Buffer.byteLength(text) <= 1100);
        const [{ entries, next }, counted] = await Promise.all([
          listObjects(db, bucket.id, { prefix, delimiter, start: after ?? '', limit }),
          countKeys(db, bucket.id, prefix),
        ]);
        return {
          items: entries.flatMap((entry) => ('object' in entry ? [toObject(entry.object, bucket)] : [])),
          ...cappedTotal(counted),
          ...(next === undefined ? {} : { nextCursor: encodeCursor(next) }),
          commonPrefixes: entries.flatMap((entry) => ('prefix' in entry ? [entry.prefix] : [])),
        };
      },
    );

    app.get(
      `${objects}/:objectId`,
      {
        config: readers,
        schema: {
          operationId: 'getStorageObject',
          summary: 'Get an object',
          tags,
          params: ObjectPath,
          querystring: EnvironmentQuery,
          response: { 200: StoredObject },
        },
      },
      async (request) => {
        const bucket = await bucketOf(deps, request);
        return toObject(await liveOf(bucket, request.params.objectId), bucket);
      },
    );

    app.delete(
      `${objects}/:objectId`,
      {
        config: deleters,
        schema: {
          operationId: 'deleteStorageObject',
          summary: 'Move an object to the trash',
          tags,
          params: ObjectPath,
          querystring: EnvironmentQuery,
          response: { 204: { type: 'null', description: 'Moved to the trash.' } },
        },
      },
      async (request, reply) => {
        const bucket = await bucketOf(deps, request);
        await db.write(async (tx) => {
          const row = await findObject(tx, bucket.id, request.params.objectId);
          if (row?.state !== 'live') throw noObject();
          await trashObject(tx, deps, bucket, row);
        }, bucketQueue(bucket.id));
        return reply.code(204).send(null);
      },
    );

    app.get(
      `${objects}/:objectId/access-url`,
      {
        config: readers,
        schema: {
          operationId: 'getStorageObjectAccessUrl',
          summary: 'Get a signed URL of an object',
          tags,
          params: ObjectPath,
          querystring: AccessUrlQuery,
          response: { 200: AccessUrl },
        },
      },
      async (request) => {
        const bucket = await bucketOf(deps, request);
        const object = await liveOf(bucket, request.params.objectId);
        const more = ['download', 'width', 'height', 'fit', 'format', 'quality'].flatMap((name) => {
          const value = new Map(Object.entries(request.query)).get(name);
          return value === undefined || value === false ? [] : [`${name}=${value === true ? 1 : value}`];
        });
        if (bucket.visibility === 'public') {
          const url = addresses.publicUrl(bucket, object.key, more);
          return { accessType: 'public' as const, url, expiresAt: null };
        }
        const { expiresInSeconds = 3600 } = request.query;
        // Whole seconds, as the address says it.
        const expiresAt = Math.floor(clock.now() / 1000 + expiresInSeconds) * 1000;
        const url = addresses.signedUrl(bucket, object, expiresAt, more);
        return { accessType: 'signed' as const, url, expiresAt: new Date(expiresAt).toISOString() };
      },
    );

    app.get(
      `${objects}/:objectId/properties`,
      {
        config: readers,
        schema: {
          operationId: 'getStorageObjectProperties',
          summary: 'Get the headers, metadata and tags of an object',
          tags,
          params: ObjectPath,
          querystring: EnvironmentQuery,
          response: { 200: ObjectProperties },
        },
      },
      async (request) => {
        const bucket = await bucketOf(deps, request);
        return toProperties(await liveOf(bucket, request.params.objectId));
      },
    );

    app.patch(
      `${objects}/:objectId/properties`,
      {
        config: writers,
        schema: {
          operationId: 'updateStorageObjectProperties',
          summary: 'Update the headers, metadata and tags of an object',
          tags,
          params: ObjectPath,
          querystring: EnvironmentQuery,
          body: ChangeProperties,
          response: { 200: ObjectProperties },
        },
      },
      async (request) => {
        const bucket = await bucketOf(deps, request);
        const { contentType, ...changes } = request.body;
        checkContentType(contentType);
        for (const [field, value] of Object.entries(changes))
          if (typeof value === 'string') checkHeaderText(value, field);
        return db.write(async (tx) => {
          const row = await findObject(tx, bucket.id, request.params.objectId);
          if (row?.state !== 'live') throw noObject();
          const attributes = withChanges(attributesOf(row), changes);
          const after = {
            content_type: contentType === undefined ? row.content_type : contentType,
            attributes: JSON.stringify(attributes),
            updated_at: clock.now(),
          };
          await updateObject(tx, row.id, after);
          return toProperties({ ...row, ...after });
        }, bucketQueue(bucket.id));
      },
    );

    app.post(
      `${objects}/:objectId/copy`,
      {
        config: { ...writers, once: true },
        schema: {
          operationId: 'copyStorageObject',
          summary: 'Copy an object to another key or bucket',
          tags,
          params: ObjectPath,
          querystring: EnvironmentQuery,
          body: CopyObject,
          response: { 200: StoredObject },
        },
      },
      async (request) => {
        const { key } = request.body;
        checkKey(key);
        const from = await bucketOf(deps, request);
        const params = { ...request.params, bucket: request.body.bucket ?? request.params.bucket };
        const to = await bucketOf(deps, { auth: request.auth, params, query: request.query });
        const object = await liveOf(from, request.params.objectId);
        const content = await contentForCopy(deps, { bucket: from, object }, to);
        return once(
          request,
          async (tx) => {
            await demandPresent(tx, object);
            const attributes = attributesOf(object);
            const copy = { key, content, contentType: object.content_type, attributes };
            return toObject(await putObject(tx, deps, to, copy), to);
          },
          bucketQueue(to.id),
        );
      },
    );

    app.post(
      `${objects}/:objectId/move`,
      {
        config: { ...writers, once: true },
        schema: {
          operationId: 'moveStorageObject',
          summary: 'Move an object to another key',
          tags,
          params: ObjectPath,
          querystring: EnvironmentQuery,
          body: MoveObject,
          response: { 200: StoredObject },
        },
      },
      async (request) => {
        const { key } = request.body;
        checkKey(key);
        const bucket = await bucketOf(deps, request);
        return once(
          request,
          async (tx) => {
            const object = await findObject(tx, bucket.id, request.params.objectId);
            if (object?.state !== 'live') throw noObject();
            return toObject(await moveObject(tx, deps, bucket, object, key), bucket);
          },
          bucketQueue(bucket.id),
        );
      },
    );
  };
}

type Changes = {
  [K in Exclude<keyof ObjectAttributes, 's3' | 'expires'>]?: ObjectAttributes[K] | null | undefined;
};

/** null takes a header away; metadata and tags are replaced as a whole. */
function withChanges(attributes: ObjectAttributes, changes: Changes): ObjectAttributes {
  const merged = new Map<string, unknown>(Object.entries(attributes));
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) continue;
    if (value === null) merged.delete(name);
    else merged.set(name, value);
  }
  return Object.fromEntries(merged) as ObjectAttributes;
}
