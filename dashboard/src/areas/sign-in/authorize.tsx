import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { useAction } from '#api/action.ts';
import { idp } from '#api/idp.ts';
import { AskedScopes } from '#areas/sign-in/asked-scopes.tsx';
import { DoorCard } from '#areas/sign-in/door-card.tsx';
import { arrivedSearch } from '#shell/arrived.ts';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Facts } from '#ui/facts.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

/** Another program wants to act for the person: who it is, what it asks, where the answer goes. */
export function Authorize() {
  const request = arrivedSearch;
  const { data, error } = useQuery({
    queryKey: ['consent', request],
    queryFn: ({ signal }) => idp('get', '/idp/oauth2/consent', { query: request, signal }),
  });
  const decide = useAction({
    run: async (approve: boolean) => {
      const { redirectTo } = await idp('post', '/idp/oauth2/consent', { body: { request, approve } });
      location.assign(redirectTo);
    },
    quiet: true,
  });
  if (error)
    return (
      <DoorCard title="The request of the app is not valid">
        <ErrorNotice error={error} />
      </DoorCard>
    );
  if (!data)
    return (
      <DoorCard title="One moment">
        <Skeleton className="h-40" />
      </DoorCard>
    );
  if (data.signInNeeded) return <Navigate to="/sign-in" search={{ next: `/authorize${request}` }} replace />;
  return (
    <DoorCard title={`Authorize ${data.client.name}?`} description="It will be able to:">
      <div className="space-y-4">
        <AskedScopes scopes={data.scopes} />
        <Facts
          facts={[
            ['As', data.account?.email],
            ['Continues at', data.redirectHost],
          ]}
        />
        {decide.error && <ErrorNotice error={decide.error} />}
        <div className="grid grid-cols-2 gap-2">
          <Button size="lg" disabled={decide.isPending} onClick={() => decide.mutate(false)}>
            Refuse
          </Button>
          <Button look="primary" size="lg" busy={decide.isPending} onClick={() => decide.mutate(true)}>
            Allow
          </Button>
        </div>
      </div>
    </DoorCard>
  );
}
