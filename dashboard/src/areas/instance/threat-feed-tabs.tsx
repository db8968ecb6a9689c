import { TabLinks } from '#ui/tabs.tsx';

/** What operators say and see of web reputation. */
export function ReputationTabs() {
  return (
    <TabLinks
      label="Web reputation of the instance"
      tabs={[
        { text: 'Feeds', link: { to: '/instance/threat-feeds' } },
        { text: 'Instance overrides', link: { to: '/instance/threat-feeds/overrides' } },
      ]}
    />
  );
}
