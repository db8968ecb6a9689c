import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readAuditSearch } from '#areas/audit-log/search.ts';
import { membersQuery } from '#areas/organizations/data.ts';
import { organizationRoute } from '#shell/routes.ts';

const auditLogRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/audit-log',
  staticData: { title: 'Audit log' },
  validateSearch: readAuditSearch,
  loader: ({ context: { queryClient, organization } }) =>
    queryClient.ensureQueryData(membersQuery(organization.id)),
  component: lazyRouteComponent(() => import('./audit-log.tsx'), 'AuditLog'),
});

export const auditLogRoutes = [auditLogRoute];
