import type { Body, Query } from '../operations.ts';
import type { CreateOptions, Requests } from '../requests.ts';
import type { RequestOptions } from '../send.ts';

const totals = '/organizations/{organizationId}/storage/totals';
const buckets = '/applications/{applicationId}/storage/buckets';
const bucketPath = `${buckets}/{bucket}` as const;
const objects = `${bucketPath}/objects` as const;
const object = `${objects}/{objectId}` as const;
const versions = `${bucketPath}/versions` as const;
const trash = `${bucketPath}/trash` as const;
const uploads = `${bucketPath}/uploads` as const;

/** `bucket` is a name, or an id. Every call with a bucket takes `environment`: a slug or an id. */
export interface InEnvironment extends RequestOptions {
  environment?: string | undefined;
}

function split({ environment, ...options }: InEnvironment = {}) {
  return { query: { environment } as { environment?: string }, options };
}

export const storage = (api: Requests) => ({
  /** How much an organization stores, or one application of it. */
  totals: (organizationId: string, query?: Query<'get', typeof totals>, options?: RequestOptions) =>
    api.call('get', totals, { path: { organizationId }, query }, options),
  listBuckets: (applicationId: string, query?: Query<'get', typeof buckets>, options?: RequestOptions) =>
    api.list(buckets, { path: { applicationId }, query }, options),
  createBucket: (applicationId: string, body: Body<'post', typeof buckets>, options?: CreateOptions) =>
    api.create(buckets, { path: { applicationId }, body }, options),
  getBucket: (applicationId: string, bucket: string, at?: InEnvironment) => {
    const { query, options } = split(at);
    return api.call('get', bucketPath, { path: { applicationId, bucket }, query }, options);
  },
  /** With everything in it, unless `onlyIfEmpty`. */
  deleteBucket: (
    applicationId: string,
    bucket: string,
    query?: Query<'delete', typeof bucketPath>,
    options?: RequestOptions,
  ) => api.call('delete', bucketPath, { path: { applicationId, bucket }, query }, options),
  /** Its settings, and what it holds. */
  getSettings: (applicationId: string, bucket: string, at?: InEnvironment) => {
    const { query, options } = split(at);
    return api.call('get', `${bucketPath}/settings`, { path: { applicationId, bucket }, query }, options);
  },
  updateSettings: (
    applicationId: string,
    bucket: string,
    body: Body<'patch', `${typeof bucketPath}/settings`>,
    at?: InEnvironment,
  ) => {
    const { query, options } = split(at);
    const input = { path: { applicationId, bucket }, query, body };
    return api.call('patch', `${bucketPath}/settings`, input, options);
  },
  /** The secret that signs requests to the webhook: shown once. */
  rotateWebhookSecret: (
    applicationId: string,
    bucket: string,
    at?: { environment?: string } & CreateOptions,
  ) => {
    const { environment, ...options } = at ?? {};
    const query = { environment } as { environment?: string };
    return api.create(`${bucketPath}/webhook-secret`, { path: { applicationId, bucket }, query }, options);
  },
  /** An event of the type `test`, sent now. */
  testWebhook: (applicationId: string, bucket: string, at?: InEnvironment) => {
    const { query, options } = split(at);
    const path = { applicationId, bucket };
    return api.call('post', `${bucketPath}/webhook-test`, { path, query }, options);
  },
  /** The last requests to the webhook, newest first. */
  listWebhookDeliveries: (applicationId: string, bucket: string, at?: InEnvironment) => {
    const { query, options } = split(at);
    const path = { applicationId, bucket };
    return api.call('get', `${bucketPath}/webhook-deliveries`, { path, query }, options);
  },
  /** By day. */
  usage: (
    applicationId: string,
    bucket: string,
    query?: Query<'get', `${typeof bucketPath}/usage`>,
    options?: RequestOptions,
  ) => api.call('get', `${bucketPath}/usage`, { path: { applicationId, bucket }, query }, options),

  /** One page, or all with `for await`. `delimiter: ''` lists every key instead of folders. */
  listObjects: (
    applicationId: string,
    bucket: string,
    query?: Query<'get', typeof objects>,
    options?: RequestOptions,
  ) => api.list(objects, { path: { applicationId, bucket }, query }, options),
  /** A small object in one request; `uploadObject` sends large ones. */
  putObject: (
    applicationId: string,
    bucket: string,
    key: string,
    body: Blob,
    {
      environment,
      ifMatch,
      ifNoneMatch,
      ...options
    }: InEnvironment & { ifMatch?: string; ifNoneMatch?: string } = {},
  ) => {
    const query = { key, environment } as { key: string; environment?: string };
    const headers = { 'if-match': ifMatch, 'if-none-match': ifNoneMatch };
    return api.call('put', objects, { path: { applicationId, bucket }, query, body, headers }, options);
  },
  getObject: (applicationId: string, bucket: string, objectId: string, at?: InEnvironment) => {
    const { query, options } = split(at);
    return api.call('get', object, { path: { applicationId, bucket, objectId }, query }, options);
  },
  /** Moves it to the trash. */
  deleteObject: (applicationId: string, bucket: string, objectId: string, at?: InEnvironment) => {
    const { query, options } = split(at);
    return api.call('delete', object, { path: { applicationId, bucket, objectId }, query }, options);
  },
  /** Moves up to a thousand to the trash: repeat it with `cursor` while the answer has a `nextCursor`. */
  deleteByPrefix: (
    applicationId: string,
    bucket: string,
    query: Query<'delete', typeof objects>,
    options?: RequestOptions,
  ) => api.call('delete', objects, { path: { applicationId, bucket }, query }, options),
  /** Where it can be read without a token. */
  accessUrl: (
    applicationId: string,
    bucket: string,
    objectId: string,
    query?: Query<'get', `${typeof object}/access-url`>,
    options?: RequestOptions,
  ) => api.call('get', `${object}/access-url`, { path: { applicationId, bucket, objectId }, query }, options),
  getProperties: (applicationId: string, bucket: string, objectId: string, at?: InEnvironment) => {
    const { query, options } = split(at);
    return api.call(
      'get',
      `${object}/properties`,
      { path: { applicationId, bucket, objectId }, query },
      options,
    );
  },
  updateProperties: (
    applicationId: string,
    bucket: string,
    objectId: string,
    body: Body<'patch', `${typeof object}/properties`>,
    at?: InEnvironment,
  ) => {
    const { query, options } = split(at);
    const input = { path: { applicationId, bucket, objectId }, query, body };
    return api.call('patch', `${object}/properties`, input, options);
  },
  copyObject: (
    applicationId: string,
    bucket: string,
    objectId: string,
    body: Body<'post', `${typeof object}/copy`>,
    { environment, ...options }: { environment?: string } & CreateOptions = {},
  ) => {
    const query = { environment } as { environment?: string };
    const input = { path: { applicationId, bucket, objectId }, query, body };
    return api.create(`${object}/copy`, input, options);
  },
  moveObject: (
    applicationId: string,
    bucket: string,
    objectId: string,
    key: string,
    { environment, ...options }: { environment?: string } & CreateOptions = {},
  ) => {
    const query = { environment } as { environment?: string };
    const input = { path: { applicationId, bucket, objectId }, query, body: { key } };
    return api.create(`${object}/move`, input, options);
  },

  /** Of one key, newest first. */
  listVersions: (
    applicationId: string,
    bucket: string,
    query: Query<'get', typeof versions>,
    options?: RequestOptions,
  ) => api.list(versions, { path: { applicationId, bucket }, query }, options),
  /** Makes its content what the key holds. */
  restoreVersion: (applicationId: string, bucket: string, versionId: string, at?: InEnvironment) => {
    const { query, options } = split(at);
    const path = { applicationId, bucket, versionId };
    return api.repeat(`${versions}/{versionId}/restore`, { path, query }, options);
  },
  /** Permanent. */
  deleteVersion: (applicationId: string, bucket: string, versionId: string, at?: InEnvironment) => {
    const { query, options } = split(at);
    const path = { applicationId, bucket, versionId };
    return api.call('delete', `${versions}/{versionId}`, { path, query }, options);
  },

  listTrash: (
    applicationId: string,
    bucket: string,
    query?: Query<'get', typeof trash>,
    options?: RequestOptions,
  ) => api.list(trash, { path: { applicationId, bucket }, query }, options),
  restoreObject: (applicationId: string, bucket: string, objectId: string, at?: InEnvironment) => {
    const { query, options } = split(at);
    return api.repeat(
      `${trash}/{objectId}/restore`,
      { path: { applicationId, bucket, objectId }, query },
      options,
    );
  },
  /** Permanent. */
  purgeObject: (applicationId: string, bucket: string, objectId: string, at?: InEnvironment) => {
    const { query, options } = split(at);
    return api.call(
      'delete',
      `${trash}/{objectId}`,
      { path: { applicationId, bucket, objectId }, query },
      options,
    );
  },
  emptyTrash: (applicationId: string, bucket: string, at?: InEnvironment) => {
    const { query, options } = split(at);
    return api.call('delete', trash, { path: { applicationId, bucket }, query }, options);
  },

  listUploads: (
    applicationId: string,
    bucket: string,
    query?: Query<'get', typeof uploads>,
    options?: RequestOptions,
  ) => api.list(uploads, { path: { applicationId, bucket }, query }, options),
  createUpload: (
    applicationId: string,
    bucket: string,
    body: Body<'post', typeof uploads>,
    { environment, ...options }: { environment?: string } & CreateOptions = {},
  ) => {
    const query = { environment } as { environment?: string };
    return api.create(uploads, { path: { applicationId, bucket }, query, body }, options);
  },
  getUpload: (applicationId: string, bucket: string, uploadId: string, at?: InEnvironment) => {
    const { query, options } = split(at);
    return api.call(
      'get',
      `${uploads}/{uploadId}`,
      { path: { applicationId, bucket, uploadId }, query },
      options,
    );
  },
  cancelUpload: (applicationId: string, bucket: string, uploadId: string, at?: InEnvironment) => {
    const { query, options } = split(at);
    return api.call(
      'delete',
      `${uploads}/{uploadId}`,
      { path: { applicationId, bucket, uploadId }, query },
      options,
    );
  },
});
