import { getRouteApi } from '@tanstack/react-router';
import { AiTabs } from '#areas/ai-gateway/ai-tabs.tsx';
import { ProviderList } from '#areas/ai-gateway/providers.tsx';
import { useOrganization } from '#areas/organizations/data.ts';
import { useCan } from '#areas/organizations/permissions.ts';

const route = getRouteApi('/signed-in/o/$slug/ai/providers');

export function OrganizationProviders() {
  const { id } = useOrganization();
  const can = useCan();
  const { create } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <ProviderList
      organizationId={id}
      title="AI providers"
      description="Providers with this organization's own keys. They are tried before the instance's providers."
      tabs={<AiTabs />}
      canChange={can('createAiProvider')}
      isCreating={create === true}
      onCreating={(isCreating) =>
        void navigate({ search: isCreating ? { create: true } : {}, replace: !isCreating })
      }
    />
  );
}
