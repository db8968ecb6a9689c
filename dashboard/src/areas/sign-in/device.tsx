import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useAction } from '#api/action.ts';
import { idp } from '#api/idp.ts';
import { AskedScopes } from '#areas/sign-in/asked-scopes.tsx';
import { DoorCard } from '#areas/sign-in/door-card.tsx';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Facts } from '#ui/facts.tsx';
import { Form, sending, useAppForm } from '#ui/form.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

const route = getRouteApi('/door/device');

/** A command line asks to be signed in: its code, then who asks for what from where. */
export function Device() {
  const { user_code: userCode } = route.useSearch();
  return userCode === undefined ? <AskCode /> : <Decide userCode={userCode} />;
}

function AskCode() {
  const navigate = useNavigate();
  const form = useAppForm({
    defaultValues: { code: '' },
    validators: {
      onSubmitAsync: sending(async ({ code }: { code: string }) => {
        await navigate({ to: '/device', search: { user_code: code.trim() } });
      }),
    },
  });
  return (
    <DoorCard title="Sign in a device" description="Enter the code shown in your terminal.">
      <Form form={form}>
        <form.AppField name="code">
          {(field) => <field.TextField label="Code" mono autoComplete="off" autoFocus required />}
        </form.AppField>
        <form.AppForm>
          <form.SubmitButton size="lg" className="w-full">
            Go on
          </form.SubmitButton>
        </form.AppForm>
      </Form>
    </DoorCard>
  );
}

function Decide({ userCode }: { userCode: string }) {
  const navigate = useNavigate();
  const { data, error } = useQuery({
    queryKey: ['device', userCode],
    queryFn: ({ signal }) => idp('get', '/idp/oauth2/device', { query: { user_code: userCode }, signal }),
  });
  const decide = useAction({
    run: (approve: boolean) => idp('post', '/idp/oauth2/device', { body: { userCode, approve } }),
    quiet: true,
  });
  if (decide.data) {
    const isApproved = decide.data.status === 'approved';
    return (
      <DoorCard title={isApproved ? 'The device is signed in' : 'Refused'}>
        {isApproved ? 'You can return to your terminal.' : 'The device was not signed in.'} You can close this
        page.
      </DoorCard>
    );
  }
  if (error)
    return (
      <DoorCard title="This code does not work">
        <div className="space-y-4">
          <ErrorNotice error={error} />
          <Button className="w-full" onClick={() => void navigate({ to: '/device', search: {} })}>
            Enter another code
          </Button>
        </div>
      </DoorCard>
    );
  if (!data)
    return (
      <DoorCard title="One moment">
        <Skeleton className="h-40" />
      </DoorCard>
    );
  return (
    <DoorCard
      title={`Sign in ${data.client.name}?`}
      description="Approve only if you just started this yourself."
    >
      <div className="space-y-4">
        <Facts
          facts={[
            [
              'Code',
              <span key="code" className="font-mono">
                {userCode}
              </span>,
            ],
            ['As', data.account?.email],
            ['From', data.address],
            ['Client', data.userAgent],
            ['Asked', <RelativeTime key="asked" time={data.requestedAt} />],
          ]}
        />
        <AskedScopes scopes={data.scopes} />
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
