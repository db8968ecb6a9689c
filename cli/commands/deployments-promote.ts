import { findDeployment } from '../core/deployment.ts';
import type { Run } from '../core/run.ts';
import type { deploymentsPromote } from '../descriptions/deploy.ts';

export const run: Run<typeof deploymentsPromote> = async (
  context,
  { arguments: { deployment: wanted }, options },
) => {
  const { out } = context;
  const client = await context.client();
  const { id } = await findDeployment(context, client, wanted, options.app);
  const deployment = await client.deployments.promote(id);
  out.result(deployment, () => out.success(`Deployment ${id} is live now.`));
};
