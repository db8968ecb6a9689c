import type { ApiCall } from '#api/snippets.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { PageHeader } from '#ui/page-header.tsx';
import { TabLinks } from '#ui/tabs.tsx';

export function WhoisHeader({ call }: { call?: ApiCall | undefined }) {
  const { slug } = useOrganization();
  return (
    <>
      <PageHeader
        title="Whois"
        description="Who registered a domain and until when, from its registry; and which names are still free."
        {...(call ? { call } : {})}
      />
      <TabLinks
        label="Whois"
        tabs={[
          { text: 'Record', link: { to: '/o/$slug/lookups/whois', params: { slug } } },
          { text: 'Availability', link: { to: '/o/$slug/lookups/availability', params: { slug } } },
        ]}
      />
    </>
  );
}
