import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestLine } from '#core/request-log.ts';
import type { ObjectRow } from './object-store.ts';
import type { BucketRow } from './store.ts';

interface Answered {
  request: IncomingMessage;
  response: ServerResponse;
  bucket: BucketRow;
  object: ObjectRow | undefined;
  /** Without what is secret in them. */
  path: string;
  query: string | undefined;
  address: string | undefined;
  bytesIn: number;
  /** Of the body. */
  bytesOut: number;
  /** Head and body; undefined where that is not known. */
  bytesSent: number | undefined;
  error: string | undefined;
  id: string;
  startedAt: number;
  completedAt: number;
}

/** A request of stored objects for the log, whose response has ended. */
export function requestLineOf(answered: Answered): RequestLine {
  const { request, response, bucket, object, query, address, bytesSent, error } = answered;
  const { id, path, startedAt, completedAt } = answered;
  return {
    id,
    organizationId: bucket.organization_id,
    applicationId: bucket.application_id,
    storageBucketId: bucket.id,
    storageBucket: { name: bucket.name, slug: bucket.slug },
    ...(object
      ? { storageObjectId: object.id, storageObject: { key: object.key, contentType: object.content_type } }
      : {}),
    method: request.method ?? 'GET',
    hostname: (request.headers.host ?? '').replace(/:\d+$/, ''),
    path,
    ...(query === undefined ? {} : { query }),
    protocol: `HTTP/${request.httpVersion}`,
    ...(address === undefined ? {} : { address }),
    requestHeaders: request.headers,
    // Copied, since an object without a prototype is written as JSON four times as slowly.
    responseHeaders: { ...response.getHeaders() },
    status: response.headersSent ? response.statusCode : null,
    requestBodyBytes: answered.bytesIn,
    responseBodyBytes: answered.bytesOut,
    ...(bytesSent === undefined ? {} : { bytesSent }),
    durationMs: completedAt - startedAt,
    ...(error === undefined ? {} : { error }),
    startedAt,
    completedAt,
  };
}
