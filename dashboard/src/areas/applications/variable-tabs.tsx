import { useApplication } from '#areas/applications/data.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { TabLinks } from '#ui/tabs.tsx';

export function VariableTabs() {
  const { slug } = useOrganization();
  const { id: applicationId } = useApplication();
  const params = { slug, applicationId };
  return (
    <TabLinks
      label="Variables"
      tabs={[
        { text: 'Effective values', link: { to: '/o/$slug/apps/$applicationId/variables', params } },
        {
          text: 'Compare environments',
          link: { to: '/o/$slug/apps/$applicationId/variables/compare', params },
        },
      ]}
    />
  );
}
