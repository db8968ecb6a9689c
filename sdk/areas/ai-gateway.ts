import type { Body, Query } from '../operations.ts';
import type { CreateOptions, Requests } from '../requests.ts';
import type { RequestOptions } from '../send.ts';

const base = '/organizations/{organizationId}/ai-gateway';
const mine = `${base}/providers`;
const one = `${base}/providers/{providerId}`;
const shared = '/admin/ai-gateway/providers';
const sharedOne = '/admin/ai-gateway/providers/{providerId}';
const priceLists = '/admin/ai-gateway/price-lists';
const model = '/admin/ai-gateway/models/{modelId}';

/** Usage, budgets and policies. The models themselves are for the `openai` and `ai` packages: base URL `<instance>/ai/v1`. */
export const aiGateway = (api: Requests) => ({
  usageSummary: (
    organizationId: string,
    query?: Query<'get', `${typeof base}/usage/summary`>,
    options?: RequestOptions,
  ) => api.call('get', `${base}/usage/summary`, { path: { organizationId }, query }, options),
  usageSeries: (
    organizationId: string,
    query?: Query<'get', `${typeof base}/usage/series`>,
    options?: RequestOptions,
  ) => api.call('get', `${base}/usage/series`, { path: { organizationId }, query }, options),
  listRequests: (
    organizationId: string,
    query?: Query<'get', `${typeof base}/usage/requests`>,
    options?: RequestOptions,
  ) => api.list(`${base}/usage/requests`, { path: { organizationId }, query }, options),
  getRequest: (organizationId: string, eventId: string, options?: RequestOptions) =>
    api.call('get', `${base}/usage/requests/{eventId}`, { path: { organizationId, eventId } }, options),
  /** CSV, as text. */
  exportUsage: (organizationId: string, options?: RequestOptions) =>
    api.read(`${base}/usage/export`, { path: { organizationId } }, options, (response) => response.text()),
  listBudgets: (organizationId: string, options?: RequestOptions) =>
    api.call('get', `${base}/budgets`, { path: { organizationId } }, options),
  replaceBudgets: (
    organizationId: string,
    body: Body<'put', `${typeof base}/budgets`>,
    options?: RequestOptions,
  ) => api.call('put', `${base}/budgets`, { path: { organizationId }, body }, options),
  getPolicy: (
    organizationId: string,
    query?: Query<'get', `${typeof base}/policies`>,
    options?: RequestOptions,
  ) => api.call('get', `${base}/policies`, { path: { organizationId }, query }, options),
  replacePolicy: (
    organizationId: string,
    body: Body<'put', `${typeof base}/policies`>,
    options?: RequestOptions,
  ) => api.call('put', `${base}/policies`, { path: { organizationId }, body }, options),
  listAliases: (organizationId: string, options?: RequestOptions) =>
    api.call('get', `${base}/aliases`, { path: { organizationId } }, options),
  replaceAliases: (
    organizationId: string,
    body: Body<'put', `${typeof base}/aliases`>,
    options?: RequestOptions,
  ) => api.call('put', `${base}/aliases`, { path: { organizationId }, body }, options),
  /** Which provider a request would be sent to, and why. */
  explain: (organizationId: string, body: Body<'post', `${typeof base}/explain`>, options?: RequestOptions) =>
    api.call('post', `${base}/explain`, { path: { organizationId }, body }, options),
});

/** Providers of an organization; those of the instance, and the catalogue, are for operators. */
export const aiProviders = (api: Requests) => ({
  list: (organizationId: string, options?: RequestOptions) =>
    api.list(mine, { path: { organizationId } }, options),
  create: (organizationId: string, body: Body<'post', typeof mine>, options?: CreateOptions) =>
    api.create(mine, { path: { organizationId }, body }, options),
  update: (
    organizationId: string,
    providerId: string,
    body: Body<'patch', typeof one>,
    options?: RequestOptions,
  ) => api.call('patch', one, { path: { organizationId, providerId }, body }, options),
  delete: (organizationId: string, providerId: string, options?: RequestOptions) =>
    api.call('delete', one, { path: { organizationId, providerId } }, options),
  test: (organizationId: string, providerId: string, options?: RequestOptions) =>
    api.call('post', `${one}/test`, { path: { organizationId, providerId } }, options),
  listShared: (options?: RequestOptions) => api.list(shared, {}, options),
  createShared: (body: Body<'post', typeof shared>, options?: CreateOptions) =>
    api.create(shared, { body }, options),
  updateShared: (providerId: string, body: Body<'patch', typeof sharedOne>, options?: RequestOptions) =>
    api.call('patch', sharedOne, { path: { providerId }, body }, options),
  deleteShared: (providerId: string, options?: RequestOptions) =>
    api.call('delete', sharedOne, { path: { providerId } }, options),
  testShared: (providerId: string, options?: RequestOptions) =>
    api.call('post', `${sharedOne}/test`, { path: { providerId } }, options),
  listModels: (options?: RequestOptions) => api.list('/admin/ai-gateway/models', {}, options),
  listPriceLists: (options?: RequestOptions) => api.list(priceLists, {}, options),
  refreshPriceList: (options?: RequestOptions) => api.call('post', `${priceLists}/refresh`, {}, options),
  setModel: (modelId: string, body: Body<'put', typeof model>, options?: RequestOptions) =>
    api.call('put', model, { path: { modelId }, body }, options),
  resetModel: (modelId: string, options?: RequestOptions) =>
    api.call('delete', model, { path: { modelId } }, options),
});
