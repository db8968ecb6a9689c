import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api } from '#api/client.ts';
import { byPage, searchText } from '#api/pages.ts';
import { AuditFilters } from '#areas/audit-log/audit-filters.tsx';
import { AuditTable } from '#areas/audit-log/audit-table.tsx';
import { ExportButton } from '#areas/audit-log/export-button.tsx';
import { useOrganization } from '#areas/organizations/data.ts';
import { PageHeader } from '#ui/page-header.tsx';

const route = getRouteApi('/signed-in/o/$slug/audit-log');
const limit = 50;

export function AuditLog() {
  const { id, slug } = useOrganization();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: facets } = useQuery({
    queryKey: ['audit log', id, 'facets'],
    queryFn: ({ signal }) => api.auditLog.facets(id, { signal }),
  });
  const query = useInfiniteQuery({
    queryKey: ['audit log', id, search],
    ...byPage((cursor, signal) =>
      api.auditLog.list(id, { limit, ...search, ...(cursor ? { cursor } : {}) }, { signal }),
    ),
  });
  return (
    <>
      <PageHeader
        title="Audit log"
        description="All changes in this organization, newest first."
        call={{ method: 'GET', path: `/organizations/${id}/audit-log${searchText({ limit, ...search })}` }}
      />
      <AuditFilters
        search={search}
        facets={facets}
        onChange={(next) => void navigate({ search: next, replace: true })}
      >
        <ExportButton load={() => api.auditLog.list(id, { limit: 100, ...search })} />
      </AuditFilters>
      <AuditTable
        query={query}
        actors={facets?.actors}
        slug={slug}
        onFilter={(next) => void navigate({ search: { ...search, ...next } })}
      />
    </>
  );
}
