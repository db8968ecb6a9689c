import { applicationId } from '../core/choose.ts';
import { collect } from '../core/collect.ts';
import { environmentSlugs, findDeployment } from '../core/deployment.ts';
import { Failure } from '../core/failure.ts';
import type { Run } from '../core/run.ts';
import { ago } from '../core/text.ts';
import type { deploymentsRollback } from '../descriptions/deploy.ts';

export const run: Run<typeof deploymentsRollback> = async (
  context,
  { arguments: { deployment: wanted }, options },
) => {
  const { out } = context;
  const client = await context.client();
  const before = async () => {
    const app = await applicationId(context, options.app);
    const slugs = await environmentSlugs(client, app);
    const environment = options.env ?? 'production';
    const found = (
      await collect(client.deployments.list({ applicationId: app, status: 'ACTIVE', limit: 100 }), 500)
    ).filter((one) => slugs.get(one.environmentId) === environment || one.environmentId === environment);
    const live = found.findIndex((one) => one.live);
    const earlier = found[live + 1];
    if (live >= 0 && earlier) return earlier;
    throw new Failure(`${environment} has no earlier deployment to roll back to.`, {
      exit: 'notFound',
      next: '`mainstay deployments` lists them.',
    });
  };
  const deployment =
    wanted === undefined ? await before() : await findDeployment(context, client, wanted, options.app);
  const said = `${deployment.id}, of ${ago(deployment.createdAt)}`;
  if (options['dry-run'])
    return out.result({ dryRun: true, deployment }, () => out.line(`Would roll back to ${said}.`));
  await context.confirm(`Roll back to ${said}?`);
  const after = await client.deployments.rollback(deployment.id);
  out.result(after, () => out.success(`Deployment ${deployment.id} is live again.`));
};
