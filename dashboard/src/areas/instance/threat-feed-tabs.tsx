import { TabLinks } from '#ui/tabs.tsx';

/** What operators say and see of web reputation. */
export function ReputationTabs() {
  return (
    <TabLinks
      label="Web reputation of the instance"
      tabs={[
        { text: 'Lists', link: { to: '/instance/threat-feeds' } },
        { text: 'Overrides for everybody', link: { to: '/instance/threat-feeds/overrides' } },
      ]}
    />
  );
}
