import { findDomain, showDomain } from '../core/domain.ts';
import type { Run } from '../core/run.ts';
import type { domainsCheck } from '../descriptions/deploy.ts';

export const run: Run<typeof domainsCheck> = async (context, { arguments: { domain: name }, options }) => {
  const { client, app, domain } = await findDomain(context, name, options.app);
  const checked = await client.domains.check(app, domain.id);
  context.out.result(checked, () => showDomain(context, checked));
  return checked.state === 'verified' ? 0 : 1;
};
