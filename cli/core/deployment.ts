import type { Client } from '@mainstay/sdk';
import { applicationId } from './choose.ts';
import { collect } from './collect.ts';
import type { Context } from './context.ts';
import { Failure, wrongUsage } from './failure.ts';

type Deployment = Awaited<ReturnType<Client['deployments']['get']>>;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const looked = 200;

/** By its id, the beginning or the end of it, or "latest". */
export async function findDeployment(
  context: Context,
  client: Client,
  wanted: string,
  app: string | undefined,
): Promise<Deployment> {
  if (uuid.test(wanted)) return client.deployments.get(wanted);
  const id = await applicationId(context, app);
  const items = await collect(
    client.deployments.list({ applicationId: id, limit: 100 }),
    wanted === 'latest' ? 1 : looked,
  );
  if (wanted === 'latest') {
    const [newest] = items;
    if (newest) return newest;
    throw new Failure('The application has no deployments.', {
      exit: 'notFound',
      next: 'Run `mainstay deploy`.',
    });
  }
  const text = wanted.toLowerCase();
  const found = items.filter((one) => one.id.startsWith(text) || one.id.endsWith(text));
  const [only, other] = found;
  if (only && !other) return only;
  if (other) throw wrongUsage(`Several deployments match ${wanted}.`, 'Enter more characters of the id.');
  throw new Failure(`There is no deployment ${wanted} among the latest ${looked}.`, {
    exit: 'notFound',
    next: '`mainstay deployments` lists them.',
  });
}

/** The slugs of the application's environments by id. */
export async function environmentSlugs(client: Client, applicationId: string): Promise<Map<string, string>> {
  const slugs = new Map<string, string>();
  for await (const { id, slug } of client.environments.list(applicationId, { limit: 100 }))
    slugs.set(id, slug);
  return slugs;
}
