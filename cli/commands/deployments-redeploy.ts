import { findDeployment } from '../core/deployment.ts';
import { followDeployment } from '../core/follow.ts';
import type { Run } from '../core/run.ts';
import type { deploymentsRedeploy } from '../descriptions/deploy.ts';

export const run: Run<typeof deploymentsRedeploy> = async (
  context,
  { arguments: { deployment: wanted }, options },
) => {
  const { out } = context;
  const client = await context.client();
  const { id } = await findDeployment(context, client, wanted, options.app);
  const environment = options.env ?? (options.prod ? 'production' : undefined);
  const made = await client.deployments.redeploy(id, environment === undefined ? {} : { environment });
  out.event({ type: 'created', deployment: made }, () =>
    out.note(`Deployment ${made.id} created from ${id}.`),
  );
  if (!options['no-wait']) await followDeployment(context, client, made.id);
};
