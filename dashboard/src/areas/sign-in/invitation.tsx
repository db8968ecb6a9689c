import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '#api/action.ts';
import { api } from '#api/client.ts';
import { sentenceOf } from '#api/errors.ts';
import { sessionQuery } from '#api/session.ts';
import { organizationsQuery } from '#areas/organizations/data.ts';
import { takeToken } from '#areas/sign-in/data.ts';
import { DoorCard } from '#areas/sign-in/door-card.tsx';
import { Avatar } from '#ui/avatar.tsx';
import { Button } from '#ui/button.tsx';
import { buttonClass } from '#ui/button-class.ts';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

const roles = { OWNER: 'an owner', ADMIN: 'an admin', MEMBER: 'a member' };

/** Somebody was invited into an organization; the link names them, whoever is signed in accepts. */
export function Invitation() {
  const [token] = useState(() => takeToken('invitation'));
  const { data: session } = useSuspenseQuery(sessionQuery);
  const client = useQueryClient();
  const navigate = useNavigate();
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => api.invitations.open({ token }, { signal }),
  });
  const accept = useAction({
    run: async () => {
      const { organizationId } = await api.invitations.accept({ token });
      sessionStorage.removeItem('invitation');
      const organizations = await client.fetchQuery({ ...organizationsQuery, staleTime: 0 });
      const joined = organizations.find(({ id }) => id === organizationId);
      if (joined) await navigate({ to: '/o/$slug', params: { slug: joined.slug } });
    },
    quiet: true,
  });
  if (invitation.isError)
    return (
      <DoorCard title="This invitation does not work">
        <ErrorNotice sentence={sentenceOf(invitation.error)} />
      </DoorCard>
    );
  if (!invitation.data)
    return (
      <DoorCard title="Invitation">
        <Skeleton className="h-24" />
      </DoorCard>
    );
  const { organization, role, email } = invitation.data;
  const next = { next: '/invitation' };
  return (
    <DoorCard title={`Join ${organization.name}`} description={`${email} was invited to be ${roles[role]}.`}>
      <div className="space-y-4">
        <Avatar url={organization.imageUrl} />
        {accept.error && <ErrorNotice sentence={sentenceOf(accept.error)} />}
        {session.user ? (
          <Button
            look="primary"
            size="lg"
            className="w-full"
            busy={accept.isPending}
            onClick={() => accept.mutate()}
          >
            Join as {session.user.email}
          </Button>
        ) : (
          <div className="grid gap-2">
            <Link to="/sign-up" search={next} className={buttonClass({ look: 'primary', size: 'lg' })}>
              Create an account
            </Link>
            <Link to="/sign-in" search={next} className={buttonClass({ size: 'lg' })}>
              Sign in
            </Link>
          </div>
        )}
      </div>
    </DoorCard>
  );
}
