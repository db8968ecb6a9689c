import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api } from '#api/client.ts';
import { byPage, searchText } from '#api/pages.ts';
import { AuditFilters } from '#areas/audit-log/audit-filters.tsx';
import { AuditTable } from '#areas/audit-log/audit-table.tsx';
import { ExportButton } from '#areas/audit-log/export-button.tsx';
import { PageHeader } from '#ui/page-header.tsx';

const route = getRouteApi('/signed-in/instance/audit-log');
const limit = 50;

export function InstanceAuditLog() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: facets } = useQuery({
    queryKey: ['instance', 'audit log', 'facets'],
    queryFn: ({ signal }) => api.admin.auditLogFacets({ signal }),
  });
  const query = useInfiniteQuery({
    queryKey: ['instance', 'audit log', search],
    ...byPage((cursor, signal) =>
      api.admin.auditLog({ limit, ...search, ...(cursor ? { cursor } : {}) }, { signal }),
    ),
  });
  return (
    <>
      <PageHeader
        title="Audit log"
        description="All changes on this instance, newest first."
        call={{ method: 'GET', path: `/admin/audit-log${searchText({ limit, ...search })}` }}
      />
      <AuditFilters
        search={search}
        facets={facets}
        onChange={(next) => void navigate({ search: next, replace: true })}
      >
        <ExportButton load={() => api.admin.auditLog({ limit: 100, ...search })} />
      </AuditFilters>
      <AuditTable
        query={query}
        actors={facets?.actors}
        onFilter={(next) => void navigate({ search: { ...search, ...next } })}
      />
    </>
  );
}
