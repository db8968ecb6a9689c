import type { IncomingMessage, ServerResponse } from 'node:http';
import { type BucketRow, requestLineOf } from '#areas/storage/service.ts';
import { newId } from '#core/ids.ts';
import { countSent } from '#http/sent-bytes.ts';
import { authorize, denied } from './access/authorize.ts';
import type { Call, S3Deps } from './call.ts';
import { answerPreflight, setCorsHeaders } from './cors.ts';
import { S3Error, toS3Error } from './errors.ts';
import { demandAllowedFrom } from './limits.ts';
import { operationOf } from './operations/table.ts';
import { authenticate } from './signature/authenticate.ts';
import { Query, readTarget } from './wire/target.ts';
import { errorDocument } from './wire/xml.ts';

/** Where a request came in. */
export interface Door {
  /** Before the bucket: `/s3`, or nothing. */
  base: string;
  /** Below which each bucket has a host of its own. */
  domain: string | undefined;
  address: string;
  /** Of the request; undefined: a new one. */
  id?: string;
  /** Whether the client waits for `100 Continue`. */
  waits: boolean;
}

const lingerMilliseconds = 1000;

/** S3 over one request, whichever door it came through. Never throws. */
export async function handleS3(
  deps: S3Deps,
  request: IncomingMessage,
  response: ServerResponse,
  door: Door,
): Promise<void> {
  const startedAt = deps.clock.now();
  const call: Call = {
    ...{ deps, request, response, startedAt, headers: request.headers, address: door.address },
    id: door.id ?? newId(startedAt),
    method: request.method ?? 'GET',
    target: { path: '/', bucket: undefined, key: undefined, query: new Query([]) },
    ...{ auth: undefined, who: undefined, bucket: undefined, object: undefined },
    ...{ bytesIn: 0, bytesOut: 0, sent: countSent(request, response), error: undefined },
    proceed() {
      if (door.waits && !response.headersSent) response.writeContinue();
    },
  };
  response.setHeader('x-amz-request-id', call.id);
  response.setHeader('x-request-id', call.id);
  response.setHeader('x-amz-id-2', Buffer.from(call.id).toString('base64'));
  response.setHeader('server', 'Mainstay');
  // A page that somebody stored never runs as this host.
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('content-security-policy', 'sandbox');
  response.on('close', () => finished(call));
  try {
    await answer(call, door);
    // What was not read of a body would be taken for the next request.
    if (!request.complete) linger(request, response, door.waits);
  } catch (thrown) {
    refuse(call, thrown, door.waits);
  }
}

async function answer(call: Call, door: Door): Promise<void> {
  const { deps, request, headers } = call;
  call.target = readTarget(request.url ?? '/', { base: door.base, host: headers.host, domain: door.domain });
  if (hasTwice(request, 'authorization') || hasTwice(request, 'host'))
    throw new S3Error('InvalidArgument', 'Send the headers Authorization and Host once.');
  const { target } = call;
  const named = target.bucket === undefined ? null : await deps.buckets.bySlug(target.bucket);
  const bucket = named && (await isServed(deps, named)) ? named : null;
  if (call.method === 'OPTIONS') {
    if (bucket) call.bucket = bucket;
    return answerPreflight(call, bucket);
  }
  if (bucket) setCorsHeaders(call, bucket);
  call.auth = await authenticate(request, target, {
    now: deps.clock.now(),
    keys: deps.signingKeys,
    region: deps.anyRegion ? undefined : deps.region,
    find: (accessKeyId) => deps.credentials.find(accessKeyId),
  });
  if (call.auth) {
    const { signer } = call.auth;
    await demandAllowedFrom(call, signer);
    call.who = signer.applicationId;
    deps.used.note(signer.id);
  }
  const operation = operationOf(call);
  const isCreation = call.method === 'PUT' && target.key === undefined && operation.action === undefined;
  if (target.bucket !== undefined && !isCreation) {
    if (!bucket)
      throw new S3Error('NoSuchBucket', undefined, { fields: { BucketName: target.bucket.slice(0, 256) } });
    call.bucket = bucket;
    const expected = headers['x-amz-expected-bucket-owner'];
    if (expected !== undefined && expected !== bucket.application_id) throw denied();
  }
  if (operation.action !== undefined && bucket) {
    const { query } = target;
    await authorize(call, {
      ...{ action: operation.action, acl: operation.acl, writes: operation.writes, bucket, key: target.key },
      versionId: query.get('versionId'),
      prefix: operation.lists ? (query.get('prefix') ?? '') : undefined,
    });
  }
  await operation.run(call);
}

/** Not of an application that is deleted, or of an organization that is suspended. */
async function isServed({ organizationOf, hasAccess }: S3Deps, bucket: BucketRow): Promise<boolean> {
  const organizationId = await organizationOf(bucket.application_id);
  return organizationId !== null && (await hasAccess(organizationId, 'storage'));
}

function hasTwice({ rawHeaders }: IncomingMessage, wanted: string): boolean {
  let seen = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if ((rawHeaders[at] as string).toLowerCase() === wanted) seen++;
  return seen > 1;
}

function refuse(call: Call, thrown: unknown, waits: boolean): void {
  const { deps, request, response, method, target, id } = call;
  const error = toS3Error(thrown);
  call.error = error.message;
  if (error.status >= 500 && !response.destroyed)
    deps.log.error({ err: error.cause ?? error, requestId: id }, error.message);
  if (response.headersSent || response.destroyed) {
    // Half of it is sent: that it was cut off is all that can still be said.
    response.destroy();
    return;
  }
  for (const name of ['content-range', 'etag', 'last-modified', 'cache-control']) response.removeHeader(name);
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
  if (!request.complete) linger(request, response, waits);
  if (method === 'HEAD') {
    response.writeHead(error.status).end();
    return;
  }
  const body = errorDocument([
    ['Code', error.code],
    ['Message', error.message],
    ...Object.entries(error.fields),
    ['Resource', target.path],
    ['RequestId', id],
    ['HostId', Buffer.from(id).toString('base64')],
  ]);
  response.setHeader('content-type', 'application/xml');
  response.setHeader('content-length', Buffer.byteLength(body));
  response.writeHead(error.status).end(body);
}

/** What the client still sends is thrown away for a moment, so that it reads the answer. */
function linger(request: IncomingMessage, response: ServerResponse, waits: boolean): void {
  const length = Number(request.headers['content-length'] ?? Number.NaN);
  if (length === 0 || (Number.isNaN(length) && request.headers['transfer-encoding'] === undefined)) return;
  if (waits && !response.headersSent) {
    // It has not been told to send: it must not send on this connection any more.
    response.setHeader('connection', 'close');
    return;
  }
  request.on('error', () => undefined);
  request.resume();
  // A short rest is worth waiting for: the connection can be used again.
  if (length <= 1024 * 1024) return;
  if (!response.headersSent) response.setHeader('connection', 'close');
  setTimeout(() => {
    if (!request.complete) request.destroy();
  }, lingerMilliseconds).unref();
}

function finished(call: Call): void {
  const { deps, bucket, object, request, response, target, address, startedAt, error } = call;
  if (!bucket) return;
  const { bytesIn, bytesOut } = call;
  deps.traffics.add(bucket.id, { requests: 1, bytesIn, bytesOut });
  const url = request.url ?? '/';
  const at = url.indexOf('?');
  // Signatures of presigned addresses stay out of the log.
  const shown = url.slice(at + 1).replace(/(X-Amz-(?:Signature|Security-Token)=)[^&]*/gi, '$1***');
  deps.requestLog.write(
    requestLineOf({
      ...{ request, response, bucket, object, address, bytesIn, bytesOut, error, startedAt },
      ...{ id: newId(startedAt), path: target.path, query: at < 0 ? undefined : shown },
      ...{ bytesSent: call.sent(), completedAt: deps.clock.now() },
    }),
  );
}
