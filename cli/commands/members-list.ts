import { organization } from '../core/choose.ts';
import { collect } from '../core/collect.ts';
import type { Run } from '../core/run.ts';
import { ago } from '../core/text.ts';
import type { membersList } from '../descriptions/more.ts';

export const run: Run<typeof membersList> = async (context, { options }) => {
  const { out } = context;
  const client = await context.client();
  const { id } = await organization(context, options.org);
  const found = await collect(client.members.list(id, { limit: 100 }));
  out.result(found, () =>
    out.table(found, [
      { title: 'E-mail', value: ({ email }) => email, style: out.paint.bold },
      {
        title: 'Name',
        value: ({ givenName, familyName }) => [givenName, familyName].filter(Boolean).join(' ') || null,
      },
      { title: 'Role', value: ({ role }) => role, isFixed: true },
      { title: 'Joined', value: ({ joinedAt }) => ago(joinedAt), isFixed: true },
    ]),
  );
};
