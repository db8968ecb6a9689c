import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { AuditSource } from '#accounts/audit-log/service.ts';
import type { BucketRow, Buckets, ObjectRow, StorageDeps, Traffics } from '#areas/storage/service.ts';
import type { LastUsed } from '#core/last-used.ts';
import type { Maybe } from '#core/maybe.ts';
import type { RequestLog } from '#core/request-log.ts';
import type { Credential, Credentials } from './credentials.ts';
import { S3Error } from './errors.ts';
import type { Authentication } from './signature/authenticate.ts';
import { Body, type BodyOptions, readAll } from './signature/body.ts';
import type { SigningKeys } from './signature/canonical.ts';
import type { Target } from './wire/target.ts';
import { parseXml, type XmlElement } from './wire/xml-parser.ts';

/** What every operation works with. Open until the server closes. */
export interface S3Deps extends StorageDeps {
  log: Logger;
  buckets: Buckets;
  traffics: Traffics;
  credentials: Credentials;
  signingKeys: SigningKeys;
  used: LastUsed;
  requestLog: RequestLog;
  region: string;
  anyRegion: boolean;
  toTrash: boolean;
  uploadSeconds: number;
  dayMilliseconds: number;
  /** Null: the application is deleted or its organization suspended. */
  organizationOf(applicationId: string): Maybe<string | null>;
  hasAccess(organizationId: string, product: string): Maybe<boolean>;
  /** What S3 shows as the name of an owner; null: there is no such application. */
  nameOf(applicationId: string): Promise<string | null>;
}

/** One request under way. */
export interface Call {
  deps: S3Deps;
  request: IncomingMessage;
  response: ServerResponse;
  id: string;
  startedAt: number;
  method: string;
  target: Target;
  headers: IncomingMessage['headers'];
  address: string;
  /** Undefined: nobody signed. */
  auth: Authentication<Credential> | undefined;
  /** The application that signed. */
  who: string | undefined;
  bucket: BucketRow | undefined;
  /** For the request log. */
  object: ObjectRow | undefined;
  bytesIn: number;
  bytesOut: number;
  /** What was sent of the response so far, head and body. */
  sent: () => number | undefined;
  error: string | undefined;
  /** Sends `100 Continue` where the client waits for it. */
  proceed(): void;
}

export function bucketOf(call: Call): BucketRow {
  if (!call.bucket) throw new S3Error('NoSuchBucket');
  return call.bucket;
}

export function keyOf(call: Call): string {
  const { key } = call.target;
  if (key === undefined) throw new S3Error('InvalidURI');
  return key;
}

export function sourceOf(call: Call): AuditSource {
  const { who } = call;
  return {
    actorType: who === undefined ? 'anonymous' : 'application',
    actorId: who ?? null,
    requestId: call.id,
  };
}

export function bodyOf(
  call: Call,
  options: Pick<BodyOptions, 'compute' | 'wantsMd5' | 'isObject'> = {},
): Body {
  return new Body(call.request, {
    payload: call.auth?.payload,
    chunks: call.auth?.chunks,
    proceed: () => call.proceed(),
    ...options,
  });
}

export async function readDocument(
  call: Call,
  { maxBytes = 64 * 1024, ...options }: { maxBytes?: number; isObject?: boolean } = {},
): Promise<Buffer> {
  const bytes = await readAll(bodyOf(call, options), maxBytes);
  call.bytesIn = bytes.length;
  return bytes;
}

export async function readXml(call: Call, root: string): Promise<XmlElement> {
  const element = parseXml(await readDocument(call));
  if (element.name !== root) throw new S3Error('MalformedXML');
  return element;
}

export type ResponseHeaders = Record<string, string | number | undefined>;

export function send(
  call: Call,
  status: number,
  headers: ResponseHeaders = {},
  body?: string | Buffer,
): void {
  const { response } = call;
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) response.setHeader(name, typeof value === 'number' ? value : toHeader(value));
  }
  response.statusCode = status;
  if (status !== 204 && status !== 304 && !response.hasHeader('content-length'))
    response.setHeader('content-length', body === undefined ? 0 : Buffer.byteLength(body));
  call.bytesOut = body === undefined || call.method === 'HEAD' ? 0 : Buffer.byteLength(body);
  response.end(call.method === 'HEAD' ? undefined : body);
}

/** Headers are bytes: what came in UTF-8 goes out in it. */
export function toHeader(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those that no header may have.
  return Buffer.from(value.replace(/[\x00-\x08\x0a-\x1f\x7f]/g, ' '), 'utf8').toString('latin1');
}

export function sendXml(call: Call, xml: string, headers: ResponseHeaders = {}): void {
  send(call, 200, { 'content-type': 'application/xml', ...headers }, xml);
}
