import { collect } from '../core/collect.ts';
import type { Run } from '../core/run.ts';
import type { orgsList } from '../descriptions/account.ts';

export const run: Run<typeof orgsList> = async (context) => {
  const { out } = context;
  const client = await context.client();
  const found = await collect(client.organizations.list({ limit: 100 }));
  const { organizationId } = await context.connection();
  out.result(found, () => {
    if (found.length === 0)
      return out.note('You do not belong to an organization. Run `mainstay orgs create <name>`.');
    out.table(found, [
      { title: '', value: ({ id }) => (id === organizationId ? '*' : ' '), isFixed: true },
      { title: 'Name', value: ({ name }) => name, style: out.paint.bold },
      { title: 'Slug', value: ({ slug }) => slug },
      { title: 'Id', value: ({ id }) => id, isFixed: true, style: out.paint.dim },
    ]);
  });
};
