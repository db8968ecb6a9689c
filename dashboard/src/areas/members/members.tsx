import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { UserPlus } from 'lucide-react';
import { useMemo } from 'react';
import { usePerson } from '#api/session.ts';
import { everyMemberQuery, memberName, roleName } from '#areas/members/data.ts';
import { Invitations } from '#areas/members/invitations.tsx';
import { InviteDialog } from '#areas/members/invite-dialog.tsx';
import { LeaveCard } from '#areas/members/leave-card.tsx';
import { memberColumns } from '#areas/members/member-columns.tsx';
import { RolesCard } from '#areas/members/roles-card.tsx';
import { useOrganization } from '#areas/organizations/data.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { matches } from '#shell/search.ts';
import { Button } from '#ui/button.tsx';
import { DataTable } from '#ui/data-table.tsx';
import { FilterField } from '#ui/filter-field.tsx';
import { useHotkey } from '#ui/hotkeys.ts';
import { PageHeader } from '#ui/page-header.tsx';

const route = getRouteApi('/signed-in/o/$slug/members');
const rowId = ({ membershipId }: { membershipId: string }) => membershipId;

export function Members() {
  const { filter, create } = route.useSearch();
  const navigate = route.useNavigate();
  const organization = useOrganization();
  const person = usePerson();
  const { data } = useSuspenseQuery(everyMemberQuery(organization.id));
  const rows = useMemo(
    () => data.filter((one) => matches(filter, memberName(one), one.email, roleName(one.role))),
    [data, filter],
  );
  const own = data.find(({ userId }) => userId === person.id);
  const can = useCan();
  const isOwner = can('updateOrganizationMember');
  const owners = data.filter(({ role }) => role === 'OWNER').length;
  const columns = useMemo(
    () => memberColumns({ personId: person.id, isOwner, isLastOwner: owners === 1 }),
    [person.id, isOwner, owners],
  );
  const setOpen = (isOpen: boolean) =>
    void navigate({
      search: { ...(filter ? { filter } : {}), ...(isOpen ? { create: true } : {}) },
      replace: true,
    });
  useHotkey('c', 'Invite member', () => isOwner && setOpen(true));
  return (
    <>
      <PageHeader
        title="Members"
        description={`People with access to ${organization.name}, and their roles.`}
        call={{ method: 'GET', path: `/organizations/${organization.id}/members` }}
        actions={
          isOwner && (
            <Button look="primary" onClick={() => setOpen(true)}>
              <UserPlus aria-hidden />
              Invite member
            </Button>
          )
        }
      />
      <div className="mb-3">
        <FilterField
          label="Filter members"
          value={filter ?? ''}
          onChange={(text) => void navigate({ search: text ? { filter: text } : {}, replace: true })}
        />
      </div>
      <DataTable
        label="Members"
        rows={rows}
        columns={columns}
        rowId={rowId}
        onOpen={({ membershipId }) =>
          void navigate({
            to: '/o/$slug/members/$membershipId',
            params: { slug: organization.slug, membershipId },
          })
        }
        empty={`No members match “${filter}”.`}
      />
      {isOwner && <Invitations onInvite={() => setOpen(true)} />}
      <div className="mt-8 space-y-6">
        <RolesCard role={own?.role} />
        {own && <LeaveCard membership={own} isLastOwner={own.role === 'OWNER' && owners === 1} />}
      </div>
      <InviteDialog open={isOwner && create === true} onClose={() => setOpen(false)} />
    </>
  );
}
