import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { applicationNamesQuery } from '#areas/ai-gateway/data.ts';
import type { Breakdown } from '#areas/ai-gateway/search.ts';
import { everyMemberQuery } from '#areas/members/data.ts';

export type NameOf = (label: string) => string;

const absent: Record<Breakdown, string> = {
  model: 'No model',
  provider: 'No provider',
  application: 'No application',
  user: 'No user',
};

/** Labels of a breakdown as people know them: the API gives ids of applications and users. */
export function useNames(organizationId: string, by: Breakdown): NameOf {
  const applications = useQuery({ ...applicationNamesQuery(organizationId), enabled: by === 'application' });
  const members = useQuery({ ...everyMemberQuery(organizationId), enabled: by === 'user' });
  return useMemo(() => {
    const names = new Map([
      ...(applications.data ?? []).map(({ id, name }) => [id, name] as const),
      ...(members.data ?? []).map(({ userId, email }) => [userId, email] as const),
    ]);
    return (label) => (label === 'none' ? absent[by] : (names.get(label) ?? label));
  }, [applications.data, members.data, by]);
}
