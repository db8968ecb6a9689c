import { applicationId } from '../core/choose.ts';
import type { Run } from '../core/run.ts';
import type { appsDelete } from '../descriptions/apps.ts';

export const run: Run<typeof appsDelete> = async (context, { arguments: { app }, options }) => {
  const { out } = context;
  const client = await context.client();
  const found = await client.applications.get(await applicationId(context, app));
  const { items } = await client.deployments.list({ applicationId: found.id, limit: 100 });
  const live = items.filter((one) => one.live).length;
  if (options['dry-run'])
    return out.result({ dryRun: true, application: found, liveDeployments: live }, () =>
      out.line(`Would delete ${found.name} (${found.id}) with ${live} live deployments.`),
    );
  await context.confirm(`Delete the application ${found.name}, with ${live} live deployments?`);
  await client.applications.delete(found.id);
  out.result({ deleted: found.id }, () => {
    out.success(`Application ${found.name} deleted.`);
    out.note(`  To restore it: mainstay api POST /applications/${found.id}/restore`);
  });
};
