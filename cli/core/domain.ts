import type { Client } from '@mainstay/sdk';
import { applicationId } from './choose.ts';
import type { Context } from './context.ts';
import { Failure } from './failure.ts';

type Domain = Awaited<ReturnType<Client['domains']['get']>>;

/** A domain of the application, by its name. */
export async function findDomain(
  context: Context,
  name: string,
  app: string | undefined,
): Promise<{ client: Client; app: string; domain: Domain }> {
  const client = await context.client();
  const id = await applicationId(context, app);
  for await (const domain of client.domains.list(id, { limit: 100 }))
    if (domain.domain === name.toLowerCase() || domain.id === name) return { client, app: id, domain };
  throw new Failure(`The application has no domain ${name}.`, {
    exit: 'notFound',
    next: `Run \`mainstay domains add ${name}\`; \`mainstay domains\` lists all.`,
  });
}

/** What is still to be set in the DNS. */
export function showDomain({ out }: Context, { domain, state, problem, records }: Domain): void {
  if (state === 'verified') out.success(`${domain} points to the application.`);
  else out.note(problem ?? `${domain} is not verified yet.`);
  if (state === 'verified' || records.length === 0) return;
  out.note('Create these DNS records, then run `mainstay domains check`:');
  out.table(records, [
    { title: 'Type', value: ({ type }) => type, isFixed: true },
    { title: 'Name', value: ({ name }) => name },
    { title: 'Value', value: ({ value }) => value },
    { title: 'Now', value: (record) => record.status, isFixed: true },
  ]);
}
