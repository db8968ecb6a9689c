import type { Body, Query } from '../operations.ts';
import type { CreateOptions, Requests } from '../requests.ts';
import type { RequestOptions } from '../send.ts';

const all = '/applications/{applicationId}/storage/s3-credentials';

/** What S3 clients sign with. */
export const s3Credentials = (api: Requests) => ({
  list: (applicationId: string, query?: Query<'get', typeof all>, options?: RequestOptions) =>
    api.list(all, { path: { applicationId }, query }, options),
  /** Its secret is shown once. */
  create: (applicationId: string, body: Body<'post', typeof all>, options?: CreateOptions) =>
    api.create(all, { path: { applicationId }, body }, options),
  revoke: (applicationId: string, credentialId: string, options?: RequestOptions) =>
    api.call('delete', `${all}/{credentialId}`, { path: { applicationId, credentialId } }, options),
});
