import { applicationId } from '../core/choose.ts';
import type { Run } from '../core/run.ts';
import type { domainsLabel } from '../descriptions/deploy.ts';

export const run: Run<typeof domainsLabel> = async (context, { arguments: { label }, options }) => {
  const { out } = context;
  const client = await context.client();
  const set = await client.hostnames.set(await applicationId(context, options.app), label);
  out.result(set, () => {
    out.success(
      `The application answers at ${set.hostname}${set.live ? '' : ', once something is deployed to production'}.`,
    );
  });
};
