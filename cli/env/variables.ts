import type { Client } from '@mainstay/sdk';
import { collect } from '../core/collect.ts';
import { Failure } from '../core/failure.ts';

export type Variable = Awaited<ReturnType<Client['applicationEnvVars']['list']>>['items'][number];

/** The id of an environment that is named by its slug or id. */
export async function environmentId(
  client: Client,
  app: string,
  wanted: string | undefined,
): Promise<string | undefined> {
  if (wanted === undefined) return undefined;
  const found = await collect(client.environments.list(app, { limit: 100 }));
  const one = found.find(({ id, slug, name }) => id === wanted || slug === wanted || name === wanted);
  if (one) return one.id;
  throw new Failure(`The application has no environment "${wanted}".`, {
    exit: 'notFound',
    next: `Available: ${found.map(({ slug }) => slug).join(', ')}.`,
  });
}

/** The variables that belong to that environment, or to the application itself. */
export async function ownVariables(
  client: Client,
  app: string,
  environment: string | undefined,
): Promise<Variable[]> {
  const all = await collect(client.applicationEnvVars.list(app, { limit: 100 }));
  return all.filter((one) =>
    environment === undefined ? one.scope === 'application' : one.environmentId === environment,
  );
}

/** What code that runs here sees: the nearest scope winning, without sensitive ones. */
export async function pulled(
  client: Client,
  app: string,
  environment: string | undefined,
): Promise<{ variables: [string, string][]; omittedSensitive: number }> {
  const { items, omittedSensitive } = await client.applicationEnvVars.pull(
    app,
    environment === undefined ? {} : { environment },
  );
  return { variables: items.map(({ key, value }) => [key, value]), omittedSensitive };
}

/** Creates the variable, or changes the one of that name. */
export function setVariable(
  client: Client,
  app: string,
  environment: string | undefined,
  known: readonly Variable[],
  { key, value, sensitive }: { key: string; value: string; sensitive: boolean },
): Promise<Variable> {
  const same = known.find((one) => one.key === key);
  // Once sensitive, a value stays so unless it is deleted.
  if (same)
    return client.applicationEnvVars.update(app, same.id, { value, ...(sensitive ? { sensitive } : {}) });
  return client.applicationEnvVars.create(app, {
    key,
    value,
    sensitive,
    ...(environment === undefined
      ? { scope: 'application' }
      : { scope: 'environment', environmentId: environment }),
  });
}
