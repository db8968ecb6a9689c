import type { LabelRules } from '#accounts/applications/service.ts';
import type { Resolver } from '#areas/web-reputation/service.ts';
import type { Area, OpenedArea, Parts } from '#http/area.ts';
import type { Once } from '#http/idempotency.ts';
import { type Addresses, addresses as addressesOf } from './address.ts';
import { domainRoutes } from './domain-routes.ts';
import { hostnameRoutes } from './routes.ts';
import { checkDue } from './service.ts';
import { hostnameSettings } from './settings.ts';
import { countOfOrganization } from './store.ts';

export const area = {
  settings: { heading: 'Applications', group: hostnameSettings },
  tables: ['domains'],
} satisfies Area;

export function open(
  { db, clock, baseUrl, settings }: Parts<'db' | 'clock' | 'baseUrl', typeof hostnameSettings>,
  needs: { once: Once; labels: LabelRules; resolver: Resolver },
): OpenedArea & {
  addresses: Addresses;
  domainsOf(organizationId: string): Promise<{ used: number; limit: number }>;
} {
  const { once, labels, resolver } = needs;
  const addresses = addressesOf(settings);
  const deps = {
    db,
    clock,
    addresses,
    resolver,
    quota: settings.domainQuota,
    quotaOfOrganization: settings.organizationDomains,
  };
  const own = [addresses.domain, new URL(baseUrl).hostname];
  return {
    addresses,
    domainsOf: async (organizationId) => ({
      used: await countOfOrganization(db, { organizationId, state: undefined }),
      limit: settings.organizationDomains,
    }),
    routes: [hostnameRoutes({ db, clock, labels, addresses }), domainRoutes({ ...deps, once, own })],
    tasks: [{ everySeconds: 30, name: 'check domains', work: () => checkDue(deps) }],
  };
}
