import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Problem } from '#core/problem.ts';
import { streamedBody } from '#http/streamed-body.ts';
import type { Written } from './content.ts';
import { checkContentType, checkHeaderText, contentTypeOf } from './content-type.ts';
import { checkKey } from './names.ts';
import { PutObjectQuery, StoredObject } from './object-schema.ts';
import { findLive } from './object-store.ts';
import { type ObjectAttributes, storeObject } from './objects.ts';
import { toObject } from './render.ts';
import { bucketOf, type RouteDeps, readConditions, tags, writers } from './requests.ts';
import { demandConditions, demandRoom } from './rules.ts';
import { BucketPath } from './schema.ts';
import type { Traffics } from './traffic.ts';
import { etagFor } from './uploads.ts';

/** Small objects in one request. Bodies are passed on as they arrive, whatever their type. */
export function putRoutes(deps: RouteDeps & { traffics: Traffics }): FastifyPluginAsyncTypebox {
  const { db, contents, limits, traffics } = deps;

  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, body, done) => done(null, body));

    app.put(
      '/applications/:applicationId/storage/buckets/:bucket/objects',
      {
        bodyLimit: limits.directBytes,
        config: { ...writers, errors: [412] },
        schema: {
          operationId: 'putStorageObject',
          summary: 'Store an object',
          description:
            'The body is the content, of any type. If-Match and If-None-Match are honoured; Content-MD5 and ' +
            'Repr-Digest (sha-256) are checked. Larger objects go through upload sessions.',
          tags,
          params: BucketPath,
          querystring: PutObjectQuery,
          response: { 200: StoredObject },
        },
      },
      async (request) => {
        const { key } = request.query;
        checkKey(key);
        const declared = request.headers['content-type'] ?? null;
        checkContentType(declared);
        const attributes = readAttributes(request);
        const conditions = readConditions(request);
        const length = Number(request.headers['content-length'] ?? 0);
        if (length > limits.directBytes) throw tooLarge(limits.directBytes);
        const bucket = await bucketOf(deps, request);
        // Before the bytes come, where it is certain already; and again in the transaction.
        if (conditions.ifMatch !== undefined || conditions.ifNoneMatch !== undefined)
          demandConditions(conditions, (await findLive(db, bucket.id, key))?.etag);
        await demandRoom(deps, bucket, key, length);
        const written = await contents.write(bucket, streamedBody(request), {
          hashes: ['md5', 'sha256'],
          maxBytes: limits.directBytes,
          mayInline: true,
        });
        demandDigests(request, written);
        traffics.add(bucket.id, { requests: 1, bytesIn: written.size, bytesOut: 0 });
        const { blob, inline, size, encrypted, digests, head } = written;
        const row = await storeObject(deps, bucket, {
          key,
          content: { blob, inline, contentId: null, size, encrypted, etag: etagFor(digests), ...digests },
          contentType: contentTypeOf(declared, key, head),
          attributes,
          demand: (live) => demandConditions(conditions, live?.etag),
        });
        return toObject(row, bucket);
      },
    );
  };
}

function tooLarge(bytes: number): Problem {
  const sentence = `The body is larger than the ${bytes} bytes that one request may store. Use an upload session.`;
  return new Problem('too_large', sentence);
}

const headers = [
  ['cache-control', 'cacheControl'],
  ['content-disposition', 'contentDisposition'],
  ['content-encoding', 'contentEncoding'],
  ['content-language', 'contentLanguage'],
] as const satisfies readonly [string, keyof ObjectAttributes][];

function readAttributes(request: FastifyRequest): ObjectAttributes {
  const attributes: ObjectAttributes = {};
  for (const [header, name] of headers) {
    const value = request.headers[header];
    if (typeof value !== 'string' || value === '') continue;
    checkHeaderText(value, header);
    attributes[name] = value;
  }
  return attributes;
}

/** RFC 1864, and RFC 9530 with SHA-256. */
function demandDigests(request: FastifyRequest, { digests }: Written): void {
  const md5 = request.headers['content-md5'];
  const [, sha256] = /(?:^|,)\s*sha-256=:([^:]*):/.exec(String(request.headers['repr-digest'] ?? '')) ?? [];
  const hex = (text: string) => Buffer.from(text, 'base64').toString('hex');
  if (
    (typeof md5 === 'string' && hex(md5) !== digests.md5) ||
    (sha256 !== undefined && hex(sha256) !== digests.sha256)
  ) {
    throw new Problem('invalid_request', 'The body does not have the checksum that was sent with it.');
  }
}
