import { type MockProvider, startAiProvider } from '#testing/ai-provider.ts';
import type { EngineName } from '#testing/engines.ts';
import { type Instance, type InstanceOptions, startInstance } from '#testing/instance.ts';

/** An instance with a mock provider behind it, and a key whose secret is sent as it is. */
export interface Gateway extends AsyncDisposable {
  instance: Instance;
  mock: MockProvider;
  /** Of a key of the application that may chat and list models. */
  secret: string;
  organizationId: string;
  /** A request of /ai/v1 with the secret. */
  ask(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  addProvider(fields: Record<string, unknown>): Promise<{ id: string }>;
  price(model: string, prices: unknown): Promise<void>;
  budgets(budgets: readonly object[]): Promise<{ id: string }[]>;
  // biome-ignore lint/suspicious/noExplicitAny: events have many fields; tests look at some.
  events(query?: string): Promise<any[]>;
}

export async function startGateway(
  engine: EngineName,
  options: InstanceOptions & { recordings?: string } = {},
): Promise<Gateway> {
  await using stack = new AsyncDisposableStack();
  const mock = stack.use(await startAiProvider(options.recordings ? { recordings: options.recordings } : {}));
  const instance = stack.use(await startInstance(engine, options));
  const organizationId = instance.bootstrapped.organization.id;
  const applicationId = instance.bootstrapped.application.id;
  const key = await instance.call('POST', '/api-keys', {
    as: 'user',
    body: { name: 'AI', applicationId, scopes: ['network:ai_gateway:chat', 'network:ai_gateway:models'] },
  });
  if (key.status !== 200) throw new Error(JSON.stringify(key.body));
  const secret = key.body.secret as string;
  const of = `/organizations/${organizationId}/ai-gateway`;
  const must = async (method: string, path: string, body: unknown) => {
    const answer = await instance.call(method, path, { as: 'user', body });
    if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const addProvider = (fields: Record<string, unknown>) =>
    must('POST', '/admin/ai-gateway/providers', {
      type: 'openai-compatible',
      baseUrl: `${mock.url}/v1`,
      allowPrivate: true,
      ...fields,
    });
  await addProvider({ slug: 'mock' });
  const resources = stack.move();
  return {
    ...{ instance, mock, secret, organizationId, addProvider },
    ask: (path, body, headers = {}) =>
      fetch(`${instance.url}/ai/v1${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    price: async (model, prices) =>
      void (await must('PUT', `/admin/ai-gateway/models/${encodeURIComponent(model)}`, { prices })),
    budgets: async (budgets) => (await must('PUT', `${of}/budgets`, { budgets })).items,
    events: async (query = '') =>
      (await instance.call('GET', `${of}/usage/requests?${query}`, { as: 'user' })).body.items,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
