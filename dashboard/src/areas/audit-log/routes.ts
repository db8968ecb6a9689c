import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readAuditSearch } from '#areas/audit-log/search.ts';
import { demands } from '#areas/organizations/permissions.ts';
import { organizationRoute } from '#shell/routes.ts';

const auditLogRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/audit-log',
  staticData: { title: 'Audit log', wide: true },
  beforeLoad: demands('listAuditLog'),
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import('./audit-log.tsx'), 'AuditLog'),
});

export const auditLogRoutes = [auditLogRoute];
