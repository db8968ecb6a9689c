import { TabLinks } from '#ui/tabs.tsx';

export function InstanceAiTabs() {
  return (
    <TabLinks
      label="AI providers of the instance"
      tabs={[
        { text: 'Providers', link: { to: '/instance/ai' } },
        { text: 'Models and prices', link: { to: '/instance/ai/models' } },
      ]}
    />
  );
}
