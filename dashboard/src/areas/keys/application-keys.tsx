import { getRouteApi } from '@tanstack/react-router';
import { useApplication } from '#areas/applications/data.ts';
import type { KeyOwner } from '#areas/keys/data.ts';
import { KeyPage } from '#areas/keys/key-page.tsx';
import { Keys } from '#areas/keys/keys.tsx';
import { useOrganization } from '#areas/organizations/data.ts';

const list = getRouteApi('/signed-in/o/$slug/apps/$applicationId/keys');
const one = getRouteApi('/signed-in/o/$slug/apps/$applicationId/keys/$keyId');

function useOwner(): KeyOwner {
  const { id: applicationId, organizationId } = useApplication();
  return { type: 'application', applicationId, organizationId };
}

export function ApplicationKeys() {
  const { slug } = useOrganization();
  const { id: applicationId, name } = useApplication();
  const navigate = list.useNavigate();
  return (
    <Keys
      owner={useOwner()}
      title="API keys"
      description={`${name} uses a key to get access tokens that act as this application.`}
      search={list.useSearch()}
      onSearch={(next, replace) => void navigate({ search: next, replace })}
      linkOf={(keyId) => ({
        to: '/o/$slug/apps/$applicationId/keys/$keyId',
        params: { slug, applicationId, keyId },
      })}
    />
  );
}

export function ApplicationKey() {
  const { slug } = useOrganization();
  const { id: applicationId } = useApplication();
  const { keyId } = one.useParams();
  return (
    <KeyPage
      keyId={keyId}
      owner={useOwner()}
      list={{
        text: 'API keys',
        link: { to: '/o/$slug/apps/$applicationId/keys', params: { slug, applicationId } },
      }}
      activity={{ to: '/o/$slug/audit-log', params: { slug }, search: { targetId: keyId } }}
    />
  );
}
