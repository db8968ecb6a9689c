import { organization } from '../core/choose.ts';
import { collect } from '../core/collect.ts';
import type { Run } from '../core/run.ts';
import { ago } from '../core/text.ts';
import type { appsList } from '../descriptions/apps.ts';

export const run: Run<typeof appsList> = async (context, { options }) => {
  const { out } = context;
  const client = await context.client();
  const within = options.org === undefined ? undefined : await organization(context, options.org);
  const found = await collect(
    client.applications.list({
      limit: 100,
      ...(within ? { organizationId: within.id } : {}),
      ...(options.query === undefined ? {} : { query: options.query }),
    }),
  );
  const linked = (await context.linked())?.link.applicationId;
  out.result(found, () => {
    if (found.length === 0) return out.note('There are no applications. Run `mainstay apps create <name>`.');
    out.table(found, [
      { title: '', value: ({ id }) => (id === linked ? '*' : ' '), isFixed: true },
      { title: 'Name', value: ({ name }) => name, style: out.paint.bold },
      { title: 'Organization', value: (app) => app.organization.name },
      { title: 'Updated', value: ({ updatedAt }) => ago(updatedAt), isFixed: true },
      { title: 'Id', value: ({ id }) => id, isFixed: true, style: out.paint.dim },
    ]);
  });
};
