import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api } from '#api/client.ts';
import { byPage, searchText } from '#api/pages.ts';
import { AuditFilters } from '#areas/audit-log/audit-filters.tsx';
import { AuditTable } from '#areas/audit-log/audit-table.tsx';
import { everyMemberQuery, memberName } from '#areas/members/data.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { PageHeader } from '#ui/page-header.tsx';

const route = getRouteApi('/signed-in/o/$slug/audit-log');
const limit = 50;

export function AuditLog() {
  const { id } = useOrganization();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: members } = useSuspenseQuery(everyMemberQuery(id));
  const query = useInfiniteQuery({
    queryKey: ['audit log', id, search],
    ...byPage((cursor, signal) =>
      api.auditLog.list(id, { limit, ...search, ...(cursor ? { cursor } : {}) }, { signal }),
    ),
  });
  const people = members.map((member) => ({ id: member.userId, name: memberName(member) }));
  return (
    <>
      <PageHeader
        title="Audit log"
        description="What was changed in this organization, by whom, newest first. Records are never changed."
        call={{ method: 'GET', path: `/organizations/${id}/audit-log${searchText({ limit, ...search })}` }}
      />
      <AuditFilters
        search={search}
        people={people}
        onChange={(next) => void navigate({ search: next, replace: true })}
      />
      <AuditTable
        query={query}
        people={people}
        onFilter={(next) => void navigate({ search: { ...search, ...next } })}
      />
    </>
  );
}
