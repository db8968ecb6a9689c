import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api } from '#api/client.ts';
import { byPage, searchText } from '#api/pages.ts';
import { AuditFilters } from '#areas/audit-log/audit-filters.tsx';
import { AuditTable } from '#areas/audit-log/audit-table.tsx';
import { PageHeader } from '#ui/page-header.tsx';

const route = getRouteApi('/signed-in/instance/audit-log');
const limit = 50;

export function InstanceAuditLog() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery({
    queryKey: ['instance', 'audit log', search],
    ...byPage((cursor, signal) =>
      api.admin.auditLog({ limit, ...search, ...(cursor ? { cursor } : {}) }, { signal }),
    ),
  });
  return (
    <>
      <PageHeader
        title="Audit log of the instance"
        description="What was changed anywhere, by whom, newest first."
        call={{ method: 'GET', path: `/admin/audit-log${searchText({ limit, ...search })}` }}
      />
      <AuditFilters
        search={search}
        people={[]}
        onChange={(next) => void navigate({ search: next, replace: true })}
      />
      <AuditTable
        query={query}
        people={[]}
        onFilter={(next) => void navigate({ search: { ...search, ...next } })}
      />
    </>
  );
}
