import { getRouteApi } from '@tanstack/react-router';
import type { KeyOwner } from '#areas/keys/data.ts';
import { KeyPage } from '#areas/keys/key-page.tsx';
import { Keys } from '#areas/keys/keys.tsx';
import { useOrganization } from '#areas/organizations/data.ts';

const list = getRouteApi('/signed-in/o/$slug/keys');
const one = getRouteApi('/signed-in/o/$slug/keys/$keyId');

function useOwner(): KeyOwner {
  return { type: 'organization', organizationId: useOrganization().id };
}

export function OrganizationKeys() {
  const { slug, name } = useOrganization();
  const navigate = list.useNavigate();
  return (
    <Keys
      owner={useOwner()}
      title="API keys"
      description={`Clients of ${name} exchange a key for access tokens.`}
      search={list.useSearch()}
      onSearch={(next, replace) => void navigate({ search: next, replace })}
      linkOf={(keyId) => ({ to: '/o/$slug/keys/$keyId', params: { slug, keyId } })}
    />
  );
}

export function OrganizationKey() {
  const { slug } = useOrganization();
  const { keyId } = one.useParams();
  return (
    <KeyPage
      keyId={keyId}
      owner={useOwner()}
      list={{ text: 'API keys', link: { to: '/o/$slug/keys', params: { slug } } }}
      activity={{ to: '/o/$slug/audit-log', params: { slug }, search: { targetId: keyId } }}
    />
  );
}
