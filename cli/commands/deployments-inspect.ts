import { environmentSlugs, findDeployment } from '../core/deployment.ts';
import type { Run } from '../core/run.ts';
import { ago } from '../core/text.ts';
import type { deploymentsInspect } from '../descriptions/deploy.ts';

export const run: Run<typeof deploymentsInspect> = async (
  context,
  { arguments: { deployment: wanted }, options },
) => {
  const { out } = context;
  const client = await context.client();
  const deployment = await findDeployment(context, client, wanted, options.app);
  const [{ items: hostnames }, slugs] = await Promise.all([
    client.deployments.hostnames(deployment.id),
    environmentSlugs(client, deployment.applicationId),
  ]);
  const { url } = await context.connection();
  const { protocol } = new URL(url);
  out.result({ ...deployment, hostnames }, () => {
    out.fields([
      ['Id', deployment.id],
      ['Status', deployment.live ? `${deployment.status} (live)` : deployment.status],
      ['Reason', deployment.reason],
      ['Environment', slugs.get(deployment.environmentId) ?? deployment.environmentId],
      ['Branch', deployment.branch],
      ['Commit', deployment.gitSha],
      ['Created', `${deployment.createdAt} (${ago(deployment.createdAt)})`],
      ['Active since', deployment.activeAt],
      ...hostnames.map(({ hostname }) => ['Address', `${protocol}//${hostname}`] as const),
      ...Object.entries(deployment.summary ?? {}).map(
        ([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)] as const,
      ),
    ]);
  });
};
