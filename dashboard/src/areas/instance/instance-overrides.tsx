import { getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { ReputationTabs } from '#areas/instance/threat-feed-tabs.tsx';
import { overridesForAll } from '#areas/reputation/data.ts';
import { OverrideList } from '#areas/reputation/override-list.tsx';
import { Button } from '#ui/button.tsx';
import { PageHeader } from '#ui/page-header.tsx';

const route = getRouteApi('/signed-in/instance/threat-feeds/overrides');

export function InstanceOverrides() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <PageHeader
        title="Instance overrides"
        description="Domains blocked or allowed for every organization. An organization's own override takes precedence."
        call={{ method: 'GET', path: overridesForAll.path }}
        actions={
          <Button look="primary" onClick={() => void navigate({ search: { ...search, create: true } })}>
            <Plus aria-hidden />
            New override
          </Button>
        }
      />
      <ReputationTabs />
      <OverrideList
        set={overridesForAll}
        canChange
        search={search}
        onSearch={(next, replace) => void navigate({ search: next, replace })}
      />
    </>
  );
}
