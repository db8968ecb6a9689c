import { getRouteApi } from '@tanstack/react-router';
import { ProviderList } from '#areas/ai-gateway/providers.tsx';
import { InstanceAiTabs } from '#areas/instance/ai-provider-tabs.tsx';

const route = getRouteApi('/signed-in/instance/ai');

export function InstanceAiProviders() {
  const { create } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <ProviderList
      title="AI providers"
      description="AI providers for all organizations."
      tabs={<InstanceAiTabs />}
      canChange
      isCreating={create === true}
      onCreating={(isCreating) =>
        void navigate({ search: isCreating ? { create: true } : {}, replace: !isCreating })
      }
    />
  );
}
