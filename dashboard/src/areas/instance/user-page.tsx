import type { AdminUser } from '@mainstay/sdk';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { userQuery } from '#areas/instance/data.ts';
import { UserMenu } from '#areas/instance/user-menu.tsx';
import { NotFound } from '#shell/not-found.tsx';
import { Badge } from '#ui/badge.tsx';
import { buttonClass } from '#ui/button-class.ts';
import { Card } from '#ui/card.tsx';
import { Mono } from '#ui/code-block.tsx';
import { Facts } from '#ui/facts.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

const route = getRouteApi('/signed-in/instance/users/$userId');

/** Everything that an operator sees of an account. */
export function UserPage() {
  const { userId } = route.useParams();
  const { data: user } = useSuspenseQuery(userQuery(userId));
  if (!user) return <NotFound />;
  return (
    <>
      <PageHeader
        title={user.name}
        crumbs={[{ text: 'Users', link: { to: '/instance/users' } }]}
        badge={<UserState user={user} />}
        description={user.email}
        actions={
          <>
            <Link to="/instance/audit-log" search={{ actorId: user.id }} className={buttonClass({})}>
              View activity
            </Link>
            <UserMenu user={user} />
          </>
        }
      />
      <Card title="Details">
        <Facts
          facts={[
            [
              'User ID',
              <Mono key="id" copy>
                {user.id}
              </Mono>,
            ],
            ['Signed up', <RelativeTime key="created" time={user.createdAt} />],
            ['Organizations', user.organizations.toLocaleString('en')],
            ['Payment method', user.hasPaymentMethod ? 'Yes' : 'No'],
            ['Operator', user.operator ? 'Yes' : 'No'],
          ]}
        />
      </Card>
    </>
  );
}

export function UserState({ user }: { user: AdminUser }) {
  return (
    <span className="flex flex-wrap gap-1.5">
      {user.suspended && <StatusBadge status="suspended" />}
      {!user.admitted && <StatusBadge status="pending" text="On the waitlist" />}
      {user.admitted && !user.suspended && <StatusBadge status="active" />}
      {user.operator && <Badge tone="accent">Operator</Badge>}
    </span>
  );
}
