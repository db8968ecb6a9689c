import { getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import { useOrganization } from '#areas/organizations/data.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { overridesOf } from '#areas/reputation/data.ts';
import { LookupHeader } from '#areas/reputation/lookup-tabs.tsx';
import { OverrideList } from '#areas/reputation/override-list.tsx';
import { Button } from '#ui/button.tsx';

const route = getRouteApi('/signed-in/o/$slug/lookups/overrides');

export function Overrides() {
  const { id } = useOrganization();
  const canChange = useCan()('createReputationOverride');
  const set = useMemo(() => overridesOf(id), [id]);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <LookupHeader
        call={{ method: 'GET', path: set.path }}
        actions={
          canChange && (
            <Button look="primary" onClick={() => void navigate({ search: { ...search, create: true } })}>
              <Plus aria-hidden />
              New override
            </Button>
          )
        }
      />
      <OverrideList
        set={set}
        canChange={canChange}
        search={search}
        onSearch={(next, replace) => void navigate({ search: next, replace })}
      />
    </>
  );
}
