import { getRouteApi } from '@tanstack/react-router';
import type { KeyOwner } from '#areas/keys/data.ts';
import { KeyPage } from '#areas/keys/key-page.tsx';
import { Keys } from '#areas/keys/keys.tsx';

const list = getRouteApi('/signed-in/account/keys');
const one = getRouteApi('/signed-in/account/keys/$keyId');
const owner: KeyOwner = { type: 'user' };

export function PersonalKeys() {
  const navigate = list.useNavigate();
  return (
    <Keys
      owner={owner}
      title="Personal API keys"
      description="Personal keys act as you in all of your organizations, limited by your role in each."
      search={list.useSearch()}
      onSearch={(next, replace) => void navigate({ search: next, replace })}
      linkOf={(keyId) => ({ to: '/account/keys/$keyId', params: { keyId } })}
    />
  );
}

export function PersonalKey() {
  return (
    <KeyPage
      keyId={one.useParams().keyId}
      owner={owner}
      list={{ text: 'Personal API keys', link: { to: '/account/keys' } }}
    />
  );
}
