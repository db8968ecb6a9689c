import type { Body, Query } from '../operations.ts';
import type { CreateOptions, Requests } from '../requests.ts';
import type { RequestOptions } from '../send.ts';

const one = '/applications/{applicationId}/hostname';
const all = '/applications/{applicationId}/hostnames';
const allDomains = '/applications/{applicationId}/domains';
const ofOrganization = '/organizations/{organizationId}/domains';
const domain = '/applications/{applicationId}/domains/{domainId}';

export const hostnames = (api: Requests) => ({
  list: (applicationId: string, query?: Query<'get', typeof all>, options?: RequestOptions) =>
    api.list(all, { path: { applicationId }, query }, options),
  /** Whether the application can have the label, and else why not. */
  availability: (applicationId: string, label: string, options?: RequestOptions) =>
    api.call('get', `${one}/availability`, { path: { applicationId }, query: { label } }, options),
  set: (applicationId: string, label: string, options?: RequestOptions) =>
    api.call('put', one, { path: { applicationId }, body: { label } }, options),
});

/** Domains of your own. */
export const domains = (api: Requests) => ({
  list: (applicationId: string, query?: Query<'get', typeof allDomains>, options?: RequestOptions) =>
    api.list(allDomains, { path: { applicationId }, query }, options),
  /** Of every application of the organization. */
  listOfOrganization: (
    organizationId: string,
    query?: Query<'get', typeof ofOrganization>,
    options?: RequestOptions,
  ) => api.list(ofOrganization, { path: { organizationId }, query }, options),
  add: (applicationId: string, body: Body<'post', typeof allDomains>, options?: CreateOptions) =>
    api.create(allDomains, { path: { applicationId }, body }, options),
  get: (applicationId: string, domainId: string, options?: RequestOptions) =>
    api.call('get', domain, { path: { applicationId, domainId } }, options),
  /** Looks its records up now. */
  check: (applicationId: string, domainId: string, options?: RequestOptions) =>
    api.call('post', `${domain}/check`, { path: { applicationId, domainId } }, options),
  delete: (applicationId: string, domainId: string, options?: RequestOptions) =>
    api.call('delete', domain, { path: { applicationId, domainId } }, options),
});
