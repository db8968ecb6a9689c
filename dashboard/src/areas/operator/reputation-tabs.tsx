import { TabLinks } from '#ui/tabs.tsx';

/** What operators say and see of web reputation. */
export function ReputationTabs() {
  return (
    <TabLinks
      label="Web reputation of the instance"
      tabs={[
        { text: 'Lists', link: { to: '/operator/lists' } },
        { text: 'Overrides for everybody', link: { to: '/operator/overrides' } },
      ]}
    />
  );
}
