import type { Run } from '../core/run.ts';
import type { profilesList } from '../descriptions/account.ts';

export const run: Run<typeof profilesList> = async ({ profiles, out }) => {
  const { current, profiles: known } = await profiles.all();
  const rows = [...known].map(([name, profile]) => ({ name, ...profile, current: name === current }));
  out.result(rows, () => {
    if (rows.length === 0)
      return out.note('You are not signed in to any instance. Run `mainstay login <address>`.');
    out.table(rows, [
      { title: '', value: (row) => (row.current ? '*' : ' '), isFixed: true },
      { title: 'Name', value: ({ name }) => name, style: out.paint.bold },
      { title: 'Address', value: ({ url }) => url },
      { title: 'Account', value: ({ account }) => account },
    ]);
  });
};
