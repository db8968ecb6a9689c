import { applicationId } from '../core/choose.ts';
import { collect } from '../core/collect.ts';
import type { Run } from '../core/run.ts';
import type { domainsList } from '../descriptions/deploy.ts';

export const run: Run<typeof domainsList> = async (context, { options }) => {
  const { out } = context;
  const client = await context.client();
  const app = await applicationId(context, options.app);
  const [hostnames, domains] = await Promise.all([
    collect(client.hostnames.list(app)),
    collect(client.domains.list(app)),
  ]);
  const { green, yellow, red } = out.paint;
  out.result({ hostnames, domains }, () => {
    const own = new Set(domains.map(({ domain }) => domain));
    const rows = [
      ...domains.map(({ domain, state, problem }) => ({
        name: domain,
        kind: 'domain',
        state,
        note: problem,
      })),
      ...hostnames
        .filter(({ hostname }) => !own.has(hostname))
        .map(({ hostname, type, active }) => ({
          name: hostname,
          kind: type.toLowerCase(),
          state: active ? 'active' : 'idle',
          note: null,
        })),
    ];
    if (rows.length === 0) return out.note('The application has no hostname yet. Run `mainstay deploy`.');
    out.table(rows, [
      { title: 'Hostname', value: ({ name }) => name },
      { title: 'Kind', value: ({ kind }) => kind, isFixed: true },
      {
        title: 'State',
        value: ({ state }) => state,
        style: (text, { state }) =>
          state === 'active' || state === 'verified'
            ? green(text)
            : state === 'failed'
              ? red(text)
              : yellow(text),
        isFixed: true,
      },
      { title: 'Note', value: ({ note }) => note },
    ]);
  });
};
