import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { usePerson } from '#api/session.ts';
import { everyMemberQuery, memberKeysQuery, memberName, roleName } from '#areas/members/data.ts';
import { RemoveButton } from '#areas/members/remove-button.tsx';
import { RoleCell } from '#areas/members/role-cell.tsx';
import { useOrganization } from '#areas/organizations/data.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { NotFound } from '#shell/not-found.tsx';
import { Avatar } from '#ui/avatar.tsx';
import { Badge } from '#ui/badge.tsx';
import { buttonClass } from '#ui/button-class.ts';
import { Card } from '#ui/card.tsx';
import { Mono } from '#ui/code-block.tsx';
import { Facts } from '#ui/facts.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

const route = getRouteApi('/signed-in/o/$slug/members/$membershipId');

/** One member: role, what they have done, and the API keys that they created here. */
export function MemberPage() {
  const { membershipId } = route.useParams();
  const { id, slug } = useOrganization();
  const person = usePerson();
  const can = useCan();
  const { data: members } = useSuspenseQuery(everyMemberQuery(id));
  const member = members.find((one) => one.membershipId === membershipId);
  if (!member) return <NotFound />;
  const isOwn = member.userId === person.id;
  const isLastOwner = member.role === 'OWNER' && members.filter(({ role }) => role === 'OWNER').length === 1;
  const isFixed = !can('updateOrganizationMember') || isLastOwner;
  return (
    <>
      <PageHeader
        title={memberName(member)}
        crumbs={[{ text: 'Members', link: { to: '/o/$slug/members', params: { slug } } }]}
        description={member.email}
        badge={isOwn ? <Badge>You</Badge> : <Badge tone="accent">{roleName(member.role)}</Badge>}
        actions={
          <>
            {can('listAuditLog') && (
              <Link
                to="/o/$slug/audit-log"
                params={{ slug }}
                search={{ actorId: member.userId }}
                className={buttonClass({})}
              >
                View activity
              </Link>
            )}
            {can('removeOrganizationMember') && !isOwn && <RemoveButton member={member} />}
          </>
        }
        call={{ method: 'GET', path: `/organizations/${id}/members` }}
      />
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <Card title="Details">
          <div className="mb-4">
            <Avatar url={member.imageUrl} name={memberName(member)} size="lg" />
          </div>
          <Facts
            facts={[
              ['Role', <RoleCell key="role" {...{ member, isOwn, isFixed }} />],
              ['Joined', <RelativeTime key="joined" time={member.joinedAt} />],
              [
                'User ID',
                <Mono key="id" copy>
                  {member.userId}
                </Mono>,
              ],
            ]}
          />
        </Card>
        {can('listOrganizationMemberApiKeys') && <KeysCard membershipId={membershipId} />}
      </div>
    </>
  );
}

function KeysCard({ membershipId }: { membershipId: string }) {
  const { id } = useOrganization();
  const { data } = useQuery(memberKeysQuery(id, membershipId));
  if (!data) return null;
  return (
    <Card
      title="API keys"
      description="Keys of the organization and its applications that this member created."
    >
      {data.length === 0 ? (
        <p className="text-muted">None.</p>
      ) : (
        <ul aria-label="API keys" className="divide-y rounded-md border">
          {data.map((key) => (
            <li key={key.id} className="flex flex-wrap items-baseline gap-x-3 px-3 py-2">
              <span className="min-w-0 flex-1 truncate font-medium">{key.name}</span>
              <span className="text-muted">{key.application?.name ?? key.organization?.name}</span>
              <span className="text-muted">
                used <RelativeTime time={key.lastUsedAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
