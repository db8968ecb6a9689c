import { getRouteApi } from '@tanstack/react-router';
import { Keys } from '#areas/keys/keys.tsx';

const route = getRouteApi('/signed-in/account/keys');

export function PersonalKeys() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Keys
      owner={null}
      title="Personal API keys"
      description="They act as you, in every organization that you are in, as far as your role there goes."
      search={search}
      onSearch={(next, replace) => void navigate({ search: next, replace })}
    />
  );
}
