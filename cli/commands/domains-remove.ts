import { findDomain } from '../core/domain.ts';
import type { Run } from '../core/run.ts';
import type { domainsRemove } from '../descriptions/deploy.ts';

export const run: Run<typeof domainsRemove> = async (context, { arguments: { domain: name }, options }) => {
  const { out } = context;
  const { client, app, domain } = await findDomain(context, name, options.app);
  if (options['dry-run'])
    return out.result({ dryRun: true, domain }, () => out.line(`Would remove ${domain.domain}.`));
  await context.confirm(`Remove ${domain.domain}? It will no longer be served.`);
  await client.domains.delete(app, domain.id);
  out.result({ removed: domain.domain }, () => out.success(`Domain ${domain.domain} removed.`));
};
