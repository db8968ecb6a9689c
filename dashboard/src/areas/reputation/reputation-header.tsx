import type { ReactNode } from 'react';
import type { ApiCall } from '#api/snippets.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { PageHeader } from '#ui/page-header.tsx';
import { TabLinks } from '#ui/tabs.tsx';

export function ReputationHeader({ call, actions }: { call?: ApiCall | undefined; actions?: ReactNode }) {
  const { slug } = useOrganization();
  return (
    <>
      <PageHeader
        title="Web reputation"
        description="What a domain or an e-mail address is known for, before you let it in."
        {...(call ? { call } : {})}
        actions={actions}
      />
      <TabLinks
        label="Web reputation"
        tabs={[
          { text: 'Look up', link: { to: '/o/$slug/lookups', params: { slug } } },
          { text: 'Overrides', link: { to: '/o/$slug/lookups/overrides', params: { slug } } },
          { text: 'Lists', link: { to: '/o/$slug/lookups/threat-feeds', params: { slug } } },
        ]}
      />
    </>
  );
}
