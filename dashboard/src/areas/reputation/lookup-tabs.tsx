import type { ReactNode } from 'react';
import type { ApiCall } from '#api/snippets.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { PageHeader } from '#ui/page-header.tsx';
import { TabLinks } from '#ui/tabs.tsx';

/** The head of every screen of lookups: web reputation and whois are two answers to questions about one domain. */
export function LookupHeader({ call, actions }: { call?: ApiCall | undefined; actions?: ReactNode }) {
  const { slug } = useOrganization();
  const can = useCan();
  const params = { slug };
  return (
    <>
      <PageHeader
        title="Lookups"
        description="Reputation, registration and availability of domains and e-mail addresses."
        {...(call ? { call } : {})}
        actions={actions}
      />
      <TabLinks
        label="Lookups"
        tabs={[
          ...(can('getDomainReputation')
            ? [{ text: 'Reputation', link: { to: '/o/$slug/lookups' as const, params } }]
            : []),
          ...(can('getWhoisOfDomain')
            ? [
                { text: 'Whois', link: { to: '/o/$slug/lookups/whois' as const, params } },
                { text: 'Availability', link: { to: '/o/$slug/lookups/availability' as const, params } },
              ]
            : []),
          ...(can('listReputationOverrides')
            ? [{ text: 'Overrides', link: { to: '/o/$slug/lookups/overrides' as const, params } }]
            : []),
          ...(can('listReputationFeeds')
            ? [{ text: 'Threat feeds', link: { to: '/o/$slug/lookups/threat-feeds' as const, params } }]
            : []),
        ]}
      />
    </>
  );
}
