import { getRouteApi } from '@tanstack/react-router';
import { Keys } from '#areas/keys/keys.tsx';
import { useOrganization, useRole } from '#areas/organizations/data.ts';
import { Notice } from '#ui/error-notice.tsx';
import { PageHeader } from '#ui/page-header.tsx';

const route = getRouteApi('/signed-in/o/$slug/keys');

export function OrganizationKeys() {
  const { id, name } = useOrganization();
  const role = useRole();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  if (role !== 'OWNER') {
    return (
      <>
        <PageHeader title="API keys" />
        <Notice>
          Owners manage the keys of an organization. Ask one of {name}, or use a key of your own.
        </Notice>
      </>
    );
  }
  return (
    <Keys
      owner={id}
      title="API keys"
      description={`Programs of ${name} exchange one for a token of five minutes.`}
      search={search}
      onSearch={(next, replace) => void navigate({ search: next, replace })}
    />
  );
}
