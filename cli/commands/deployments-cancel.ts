import { findDeployment } from '../core/deployment.ts';
import type { Run } from '../core/run.ts';
import type { deploymentsCancel } from '../descriptions/deploy.ts';

export const run: Run<typeof deploymentsCancel> = async (
  context,
  { arguments: { deployment: wanted }, options },
) => {
  const { out } = context;
  const client = await context.client();
  const { id } = await findDeployment(context, client, wanted, options.app);
  const deployment = await client.deployments.cancel(id);
  out.result(deployment, () => out.success(`Deployment ${id} canceled.`));
};
