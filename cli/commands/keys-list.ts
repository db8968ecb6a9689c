import { applicationId, organization } from '../core/choose.ts';
import { collect } from '../core/collect.ts';
import type { Run } from '../core/run.ts';
import { ago } from '../core/text.ts';
import type { keysList } from '../descriptions/more.ts';

export const run: Run<typeof keysList> = async (context, { options }) => {
  const { out } = context;
  const client = await context.client();
  const of =
    options.app !== undefined
      ? { applicationId: await applicationId(context, options.app) }
      : options.org !== undefined
        ? { organizationId: (await organization(context, options.org)).id }
        : {};
  const found = await collect(client.apiKeys.list({ ...of, limit: 100 }));
  out.result(found, () => {
    if (found.length === 0) return out.note('There are no keys. Run `mainstay keys create <name>`.');
    out.table(found, [
      { title: 'Name', value: ({ name }) => name, style: out.paint.bold },
      { title: 'Id', value: ({ id }) => id, isFixed: true },
      { title: 'Scopes', value: ({ scopes }) => scopes.length, isFixed: true, alignsRight: true },
      { title: 'Used', value: ({ lastUsedAt }) => ago(lastUsedAt), isFixed: true },
      { title: 'Expires', value: ({ expiresAt }) => expiresAt?.slice(0, 10) ?? 'never', isFixed: true },
    ]);
  });
};
