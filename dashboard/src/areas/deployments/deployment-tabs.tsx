import { useApplication } from '#areas/applications/data.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { TabLinks } from '#ui/tabs.tsx';

const base = '/o/$slug/apps/$applicationId/deployments' as const;

export function DeploymentTabs() {
  const { slug } = useOrganization();
  const { id: applicationId } = useApplication();
  const can = useCan();
  const params = { slug, applicationId };
  if (!can('listSchedules')) return null;
  return (
    <TabLinks
      label="Deployments"
      tabs={[
        { text: 'Deployments', link: { to: base, params } },
        { text: 'Schedules', link: { to: `${base}/schedules`, params } },
      ]}
    />
  );
}
