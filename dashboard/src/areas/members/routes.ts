import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { sessionQuery } from '#api/session.ts';
import { everyMemberQuery, invitationsQuery } from '#areas/members/data.ts';
import { doorRoute, organizationRoute } from '#shell/routes.ts';
import { type CreateSearch, type FilterSearch, readCreate, readFilter } from '#shell/search.ts';

const membersRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/members',
  staticData: { title: 'Members', wide: true },
  validateSearch: (search: Record<string, unknown>): FilterSearch & CreateSearch => ({
    ...readFilter(search),
    ...readCreate(search),
  }),
  loader: ({ context: { queryClient, organization, can } }) =>
    Promise.all([
      queryClient.ensureQueryData(everyMemberQuery(organization.id)),
      can('listInvitations') && queryClient.prefetchQuery(invitationsQuery(organization.id)),
    ]),
  component: lazyRouteComponent(() => import('./members.tsx'), 'Members'),
});

const memberRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/members/$membershipId',
  staticData: { title: 'Member' },
  loader: ({ context: { queryClient, organization } }) =>
    queryClient.ensureQueryData(everyMemberQuery(organization.id)),
  component: lazyRouteComponent(() => import('./member-page.tsx'), 'MemberPage'),
});

/** The token stands behind `#`, which browsers keep to themselves. */
const invitationRoute = createRoute({
  getParentRoute: () => doorRoute,
  path: '/invitation',
  staticData: { title: 'Invitation' },
  loader: ({ context }) => context.queryClient.ensureQueryData(sessionQuery),
  component: lazyRouteComponent(() => import('./invitation.tsx'), 'InvitationPage'),
});

/** Of one organization. */
export const memberRoutes = [membersRoute, memberRoute];
/** At the door. */
export const invitationRoutes = [invitationRoute];
