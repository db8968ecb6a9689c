import { getRouteApi } from '@tanstack/react-router';
import { Keys } from '#areas/keys/keys.tsx';
import { useOrganization } from '#areas/organizations/data.ts';

const route = getRouteApi('/signed-in/o/$slug/keys');

export function OrganizationKeys() {
  const { id, name } = useOrganization();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Keys
      owner={id}
      title="API keys"
      description={`Your programs exchange a key of ${name} for access tokens.`}
      search={search}
      onSearch={(next, replace) => void navigate({ search: next, replace })}
    />
  );
}
