import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useAction } from '#api/action.ts';
import { api } from '#api/client.ts';
import { sentenceOf } from '#api/errors.ts';
import { sessionQuery } from '#api/session.ts';
import { openedInvitationQuery, roleName, roles } from '#areas/members/data.ts';
import { organizationsQuery } from '#areas/organizations/data.ts';
import { DoorCard } from '#areas/sign-in/door-card.tsx';
import { signOut } from '#shell/sign-out.ts';
import { Avatar } from '#ui/avatar.tsx';
import { Button } from '#ui/button.tsx';
import { buttonClass } from '#ui/button-class.ts';
import { ErrorNotice, Notice } from '#ui/error-notice.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

/** Where the link of an invitation leads, whoever opens it. */
export function InvitationPage() {
  const token = useLocation({ select: ({ hash }) => hash });
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { data, error } = useQuery({ ...openedInvitationQuery(token), enabled: token !== '' });
  const problem =
    token === '' ? 'This link is incomplete. Copy the whole link, including the part after #.' : error;
  if (problem) {
    return (
      <DoorCard title="This invitation cannot be opened">
        <ErrorNotice sentence={typeof problem === 'string' ? problem : sentenceOf(problem)} />
        <p className="mt-4 text-muted">Ask an owner of the organization to invite you again.</p>
      </DoorCard>
    );
  }
  if (!data) {
    return (
      <DoorCard title="Your invitation">
        <Skeleton className="h-28 w-full" />
      </DoorCard>
    );
  }
  const { organization, email, role } = data;
  const next = `/invitation#${token}`;
  const { user } = session;
  return (
    <DoorCard title={`Join ${organization.name}`}>
      <div className="flex items-center gap-3">
        <Avatar url={organization.imageUrl} name={organization.name} size="lg" />
        <div className="min-w-0">
          <p>
            As <strong className="font-medium">{roleName(role).toLowerCase()}</strong>:{' '}
            {roles.find(({ value }) => value === role)?.hint.toLowerCase()}.
          </p>
          <p className="truncate text-muted">For {email}</p>
        </div>
      </div>
      <div className="mt-5 space-y-2">
        {user && user.email.toLowerCase() === email.toLowerCase() && <JoinButton token={token} />}
        {user && user.email.toLowerCase() !== email.toLowerCase() && (
          <>
            <Notice tone="warning">
              You are signed in as {user.email}, and the invitation is for {email}.
            </Notice>
            <Button size="lg" className="w-full" onClick={() => void signOut()}>
              Sign out, then open the link again
            </Button>
          </>
        )}
        {!user && (
          <>
            <Link
              to="/sign-up"
              search={{ next }}
              className={buttonClass({ look: 'primary', size: 'lg', className: 'w-full' })}
            >
              Create an account
            </Link>
            <Link
              to="/sign-in"
              search={{ next }}
              className={buttonClass({ size: 'lg', className: 'w-full' })}
            >
              Sign in
            </Link>
          </>
        )}
      </div>
    </DoorCard>
  );
}

function JoinButton({ token }: { token: string }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { mutate, isPending, error } = useAction({
    run: async () => {
      const { organizationId } = await api.invitations.accept({ token });
      await client.invalidateQueries(organizationsQuery);
      const organizations = await client.fetchQuery(organizationsQuery);
      const slug = organizations.find(({ id }) => id === organizationId)?.slug;
      await navigate(
        slug ? { to: '/o/$slug/members', params: { slug }, replace: true } : { to: '/o', replace: true },
      );
    },
    quiet: true,
  });
  return (
    <>
      {error && <ErrorNotice error={error} />}
      <Button look="primary" size="lg" className="w-full" busy={isPending} onClick={() => mutate()}>
        Join
      </Button>
    </>
  );
}
