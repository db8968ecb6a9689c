import { useQuery } from '@tanstack/react-query';
import { useParams, useRouter, useRouterState } from '@tanstack/react-router';
import { canOf, canOfApplications, permissionsQuery } from '#areas/organizations/permissions.ts';
import { useCurrentOrganization } from '#shell/current-organization.ts';
import {
  applicationSections,
  instanceSections,
  organizationSections,
  type Section,
} from '#shell/navigation.ts';

type PlaceName = 'organization' | 'application' | 'instance';

export interface Place {
  name: PlaceName;
  /** Those that are there, and that the person may see. */
  sections: Section[];
  /** For the links of the sections. */
  params: { slug: string; applicationId: string };
}

/** Where the person is: what the sidebar shows, and what `g` and a letter lead to. */
export function usePlace(): Place {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const { applicationId } = useParams({ strict: false });
  const organization = useCurrentOrganization();
  const isShown = useShown(organization?.id, applicationId);
  const name: PlaceName = path.startsWith('/instance')
    ? 'instance'
    : applicationId !== undefined && organization
      ? 'application'
      : 'organization';
  const all = {
    instance: instanceSections,
    application: applicationSections,
    organization: organization ? organizationSections : [],
  }[name];
  return {
    name,
    sections: all.filter(isShown),
    params: { slug: organization?.slug ?? '', applicationId: applicationId ?? '' },
  };
}

/** Whether a section has a screen, and the person may see it in the organization. */
export function useShown(
  organizationId: string | undefined,
  applicationId?: string,
): (section: Pick<Section, 'to' | 'needs'>) => boolean {
  const { routesByPath } = useRouter();
  const { data: can } = useQuery({
    ...permissionsQuery(organizationId ?? ''),
    enabled: organizationId !== undefined,
    select: applicationId === undefined ? canOf : canOfApplications,
  });
  return ({ to, needs }) => Object.hasOwn(routesByPath, to) && (needs === undefined || can?.(needs) === true);
}
