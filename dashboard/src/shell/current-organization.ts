import type { Organization } from '@mainstay/sdk';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { organizationsQuery } from '#areas/organizations/data.ts';
import { lastOrganization } from '#shell/last-organization.ts';

/** The organization that the frame shows: that of the address, else the last one; undefined for people without any. */
export function useCurrentOrganization(): Organization | undefined {
  const { slug } = useParams({ strict: false });
  const { data: organizations } = useSuspenseQuery(organizationsQuery);
  const wanted = slug ?? lastOrganization();
  return organizations.find((organization) => organization.slug === wanted) ?? organizations[0];
}
