import type { Deployment } from '@mainstay/sdk';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useApplication } from '#areas/applications/data.ts';
import { keysQuery } from '#areas/keys/data.ts';
import { everyMemberQuery, memberName } from '#areas/members/data.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { canOf, permissionsQuery, useCan } from '#areas/organizations/permissions.ts';

const kinds: Record<string, string> = {
  user: 'A former member',
  organization: 'A key of the organization',
  application: 'A key of the application',
  system: 'The system',
};

/** Who started a deployment: a member or an API key by name, by its kind where the name is gone or not to be seen. */
export function useStartedBy(): (deployment: Deployment) => string {
  const { id: organizationId } = useOrganization();
  const { id: applicationId } = useApplication();
  const can = useCan();
  const { data: members } = useQuery(everyMemberQuery(organizationId));
  const { data: canOutside } = useQuery({ ...permissionsQuery(organizationId), select: canOf });
  const owner = { type: 'application', applicationId, organizationId } as const;
  const { data: own } = useQuery({ ...keysQuery(owner), enabled: can('listApiKeys') });
  const { data: shared } = useQuery({
    ...keysQuery({ type: 'organization', organizationId }),
    enabled: canOutside?.('listApiKeys') ?? false,
  });
  return useCallback(
    ({ actorType, actorId, apiKeyId }) => {
      const member = members?.find(({ userId }) => actorType === 'user' && userId === actorId);
      if (member) return memberName(member);
      const key = [...(own ?? []), ...(shared ?? [])].find(({ id }) => id === apiKeyId);
      return key?.name ?? (actorType === 'user' && !members ? 'A member' : (kinds[actorType] ?? actorType));
    },
    [members, own, shared],
  );
}
