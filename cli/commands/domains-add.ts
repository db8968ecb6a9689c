import { applicationId } from '../core/choose.ts';
import { showDomain } from '../core/domain.ts';
import type { Run } from '../core/run.ts';
import type { domainsAdd } from '../descriptions/deploy.ts';

export const run: Run<typeof domainsAdd> = async (context, { arguments: { domain: name }, options }) => {
  const client = await context.client();
  const domain = await client.domains.add(await applicationId(context, options.app), { domain: name });
  context.out.result(domain, () => {
    context.out.success(`Domain ${domain.domain} added.`);
    showDomain(context, domain);
  });
};
