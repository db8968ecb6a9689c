import type { Client } from '@mainstay/sdk';
import type { Context } from './context.ts';
import { Failure, wrongUsage } from './failure.ts';
import { claimsOf } from './session.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export interface Named {
  id: string;
  name: string;
}

/** The organization that is named, linked, of the credentials, the only one, or chosen now. */
export async function organization(context: Context, wanted: string | undefined): Promise<Named> {
  const client = await context.client();
  const { organizationId, tokens } = await context.connection();
  const name = wanted ?? context.env['MAINSTAY_ORGANIZATION_ID'];
  const claims = claimsOf(await tokens());
  const given =
    name ?? (await context.linked())?.link.organizationId ?? organizationId ?? claims.organization_id;
  if (given !== undefined && uuid.test(given)) {
    if (name === undefined) return { id: given, name: given };
    return client.organizations.get(given);
  }
  const found: (Named & { slug: string })[] = [];
  for await (const one of client.organizations.list({ limit: 100 }, { signal: context.signal }))
    found.push(one);
  if (given !== undefined) {
    const matching = byName(found, given);
    if (matching) return matching;
    throw new Failure(`You do not belong to an organization "${given}".`, {
      exit: 'notFound',
      next: '`mainstay orgs` lists them.',
    });
  }
  if (found.length === 0)
    throw new Failure('You do not belong to an organization.', {
      exit: 'notFound',
      next: 'Run `mainstay orgs create <name>`.',
    });
  const [only] = found;
  if (only && found.length === 1) return only;
  if (!context.canAsk)
    throw wrongUsage('You belong to several organizations.', 'Use --org <slug>. `mainstay orgs` lists them.');
  const { select } = await context.prompts();
  return select(
    'Which organization?',
    found.map((one) => ({ label: one.name, hint: one.slug, value: one })),
  );
}

function byName<T extends Named & { slug?: string }>(found: readonly T[], wanted: string): T | undefined {
  const lower = wanted.toLowerCase();
  return (
    found.find(({ slug }) => slug === wanted) ??
    found.find(({ name }) => name === wanted) ??
    found.find(({ name, slug }) => name.toLowerCase() === lower || slug?.toLowerCase() === lower)
  );
}

/** The id of the application that is named, linked, or of the credentials. */
export async function applicationId(context: Context, wanted: string | undefined): Promise<string> {
  const given =
    wanted ?? context.env['MAINSTAY_APPLICATION_ID'] ?? (await context.linked())?.link.applicationId;
  if (given !== undefined && uuid.test(given)) return given;
  const client = await context.client();
  if (given !== undefined) return (await findApplication(client, given)).id;
  const { tokens } = await context.connection();
  const claims = claimsOf(await tokens());
  if (claims.application_id) return claims.application_id;
  if (claims.actor_type === 'application' && claims.sub) return claims.sub;
  const next = 'Run `mainstay link` here, or use --app <name>.';
  if (!context.canAsk) throw wrongUsage('This folder is not linked to an application.', next);
  const { items } = await client.applications.list({ limit: 100 });
  if (items.length === 0)
    throw new Failure('There are no applications yet.', {
      exit: 'notFound',
      next: 'Run `mainstay apps create <name>`.',
    });
  const { select } = await context.prompts();
  const chosen = await select(
    'Which application?',
    items.map((one) => ({ label: one.name, hint: one.organization.name, value: one })),
  );
  return chosen.id;
}

/** By its exact name; several of one name have to be told apart by their ids. */
async function findApplication(client: Client, wanted: string): Promise<Named> {
  const matching: (Named & { organization: { name: string } })[] = [];
  for await (const one of client.applications.list({ query: wanted, limit: 100 }))
    if (one.name.toLowerCase() === wanted.toLowerCase()) matching.push(one);
  const [only, other] = matching;
  if (only && !other) return only;
  if (other)
    throw wrongUsage(
      `Several applications are named "${wanted}": ${matching.map(({ id, organization: { name } }) => `${id} (${name})`).join(', ')}.`,
      'Use the id.',
    );
  throw new Failure(`There is no application "${wanted}" that you can access.`, {
    exit: 'notFound',
    next: '`mainstay apps` lists them.',
  });
}
