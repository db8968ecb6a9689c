import { useOrganization } from '#areas/organizations/data.ts';
import { TabLinks } from '#ui/tabs.tsx';

export function SettingsTabs() {
  const { slug } = useOrganization();
  const params = { slug };
  return (
    <TabLinks
      label="Settings"
      tabs={[
        { text: 'General', link: { to: '/o/$slug/settings', params } },
        { text: 'Products and plans', link: { to: '/o/$slug/settings/products', params } },
      ]}
    />
  );
}
