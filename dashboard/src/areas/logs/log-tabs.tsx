import { useApplication } from '#areas/applications/data.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { TabLinks } from '#ui/tabs.tsx';

/** Filters stay from requests to analytics and back. */
export function LogTabs() {
  const { slug } = useOrganization();
  const { id: applicationId } = useApplication();
  const params = { slug, applicationId };
  return (
    <TabLinks
      label="Logs"
      tabs={[
        { text: 'Requests', link: { to: '/o/$slug/apps/$applicationId/logs', params, search: true } },
        {
          text: 'Analytics',
          link: { to: '/o/$slug/apps/$applicationId/logs/analytics', params, search: true },
        },
        { text: 'Runtime', link: { to: '/o/$slug/apps/$applicationId/logs/runtime', params } },
        { text: 'Log drains', link: { to: '/o/$slug/apps/$applicationId/logs/drains', params } },
      ]}
    />
  );
}
