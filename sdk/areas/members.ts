import type { Body, Query } from '../operations.ts';
import type { CreateOptions, Requests } from '../requests.ts';
import type { RequestOptions } from '../send.ts';

const all = '/organizations/{organizationId}/members';
const one = '/organizations/{organizationId}/members/{membershipId}';
const oneKeys = '/organizations/{organizationId}/members/{membershipId}/api-keys';
const invited = '/organizations/{organizationId}/invitations';
const invitation = '/organizations/{organizationId}/invitations/{invitationId}';

export const members = (api: Requests) => ({
  list: (organizationId: string, query?: Query<'get', typeof all>, options?: RequestOptions) =>
    api.list(all, { path: { organizationId }, query }, options),
  update: (
    organizationId: string,
    membershipId: string,
    body: Body<'patch', typeof one>,
    options?: RequestOptions,
  ) => api.call('patch', one, { path: { organizationId, membershipId }, body }, options),
  /** One's own membership: leaves the organization. */
  remove: (
    organizationId: string,
    membershipId: string,
    query?: Query<'delete', typeof one>,
    options?: RequestOptions,
  ) => api.call('delete', one, { path: { organizationId, membershipId }, query }, options),
  /** The API keys that the member has made there, which end with the membership unless they are kept. */
  apiKeys: (organizationId: string, membershipId: string, options?: RequestOptions) =>
    api.call('get', oneKeys, { path: { organizationId, membershipId } }, options),
});

export const invitations = (api: Requests) => ({
  list: (organizationId: string, query?: Query<'get', typeof invited>, options?: RequestOptions) =>
    api.list(invited, { path: { organizationId }, query }, options),
  create: (organizationId: string, body: Body<'post', typeof invited>, options?: CreateOptions) =>
    api.create(invited, { path: { organizationId }, body }, options),
  delete: (organizationId: string, invitationId: string, options?: RequestOptions) =>
    api.call('delete', invitation, { path: { organizationId, invitationId } }, options),
  /** What the link of an invitation is for; needs no credential. */
  open: (body: Body<'post', '/invitations/open'>, options?: RequestOptions) =>
    api.call('post', '/invitations/open', { body }, options),
  accept: (body: Body<'post', '/invitations/accept'>, options?: RequestOptions) =>
    api.call('post', '/invitations/accept', { body }, options),
});
