import { applicationId } from '../core/choose.ts';
import { collect } from '../core/collect.ts';
import { environmentSlugs } from '../core/deployment.ts';
import type { Run } from '../core/run.ts';
import { ago } from '../core/text.ts';
import type { deploymentsList } from '../descriptions/deploy.ts';

export const run: Run<typeof deploymentsList> = async (context, { options }) => {
  const { out } = context;
  const client = await context.client();
  const app = await applicationId(context, options.app);
  const most = options.limit ?? 20;
  const query = {
    applicationId: app,
    limit: Math.max(1, Math.min(most, 100)),
    ...(options.status === undefined ? {} : { status: options.status }),
  };
  const [found, slugs] = await Promise.all([
    collect(client.deployments.list(query), most),
    environmentSlugs(client, app),
  ]);
  const rows = found.map((one) => ({ ...one, environment: slugs.get(one.environmentId) ?? null }));
  const { green, red, yellow, bold, dim } = out.paint;
  out.result(rows, () => {
    if (rows.length === 0) return out.note('The application has no deployments. Run `mainstay deploy`.');
    out.table(rows, [
      { title: 'Id', value: ({ id }) => id, isFixed: true },
      {
        title: 'Status',
        value: (row) => (row.live ? `${row.status} (live)` : row.status),
        style: (text, row) =>
          row.status === 'ACTIVE'
            ? row.live
              ? bold(green(text))
              : green(text)
            : row.status === 'FAILED'
              ? red(text)
              : yellow(text),
        isFixed: true,
      },
      { title: 'Environment', value: ({ environment }) => environment },
      { title: 'Branch', value: (row) => row.branch },
      { title: 'Commit', value: (row) => row.gitSha?.slice(0, 7), isFixed: true },
      { title: 'Created', value: ({ createdAt }) => ago(createdAt), style: dim, isFixed: true },
    ]);
  });
};
