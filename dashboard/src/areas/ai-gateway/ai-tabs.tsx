import { useOrganization } from '#areas/organizations/data.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { TabLinks } from '#ui/tabs.tsx';

/** The parts of the AI gateway; the time range stays from usage to requests and back. */
export function AiTabs() {
  const { slug } = useOrganization();
  const can = useCan();
  const params = { slug };
  const search = ({ range }: { range?: string }) => (range === undefined ? {} : { range });
  return (
    <TabLinks
      label="AI gateway"
      tabs={[
        { text: 'Usage', link: { to: '/o/$slug/ai', params, search: search as never } },
        { text: 'Requests', link: { to: '/o/$slug/ai/requests', params, search: search as never } },
        { text: 'Models', link: { to: '/o/$slug/ai/models', params } },
        ...(can('listAiProviders')
          ? [{ text: 'Providers', link: { to: '/o/$slug/ai/providers' as const, params } }]
          : []),
        { text: 'Budgets', link: { to: '/o/$slug/ai/budgets', params } },
        { text: 'Policies', link: { to: '/o/$slug/ai/policies', params } },
        ...(can('listAiAliases')
          ? [{ text: 'Aliases', link: { to: '/o/$slug/ai/aliases' as const, params } }]
          : []),
        ...(can('explainAiRequest')
          ? [{ text: 'Explain', link: { to: '/o/$slug/ai/explain' as const, params } }]
          : []),
        { text: 'Playground', link: { to: '/o/$slug/ai/playground', params } },
      ]}
    />
  );
}
