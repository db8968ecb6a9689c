import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { idp } from '#api/idp.ts';
import { optionsQuery } from '#api/session.ts';
import { useEnter } from '#areas/sign-in/data.ts';
import { DoorCard } from '#areas/sign-in/door-card.tsx';
import { NewUserFields, useNewUserForm } from '#areas/sign-in/new-user-fields.tsx';
import { Form } from '#ui/form.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

const route = getRouteApi('/door/setup');

/** The link of the first start: the operator, then the first organization. */
export function Setup() {
  const { token = '' } = route.useSearch();
  const { data: options } = useSuspenseQuery(optionsQuery);
  const link = useQuery({
    queryKey: ['setup', token],
    queryFn: ({ signal }) => idp('get', '/idp/setup', { query: { token }, signal }),
  });
  const enter = useEnter();
  const form = useNewUserForm(async (person) => {
    await idp('post', '/idp/setup', { body: { token, ...person } });
    await enter('/new-organization');
  });
  if (!options.setup || link.isError || link.data?.usable === false) {
    return (
      <DoorCard title="This link is not valid">
        {options.setup
          ? 'It has expired or was already used. Restart the server to get a new one.'
          : 'This instance already has an operator. Sign in instead.'}
      </DoorCard>
    );
  }
  return (
    <DoorCard
      title="Welcome"
      description="Create the operator account of this instance. Next, you name your organization and get a first token."
    >
      {link.isPending ? (
        <Skeleton className="h-64" />
      ) : (
        <Form form={form}>
          <NewUserFields form={form} />
          <form.AppForm>
            <form.FormError />
            <form.SubmitButton size="lg" className="w-full">
              Create operator account
            </form.SubmitButton>
          </form.AppForm>
        </Form>
      )}
    </DoorCard>
  );
}
