import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { organizationRoute } from '#shell/routes.ts';

interface WhoisSearch {
  domain?: string;
  /** The registry's own text instead of the record. */
  raw?: true;
}

const recordRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/lookups/whois',
  staticData: { title: 'Whois' },
  validateSearch: ({ domain, raw }: Record<string, unknown>): WhoisSearch => ({
    ...(typeof domain === 'string' && domain !== '' ? { domain } : {}),
    ...(raw === true ? { raw } : {}),
  }),
  component: lazyRouteComponent(() => import('./whois.tsx'), 'Whois'),
});

const availabilityRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/lookups/availability',
  staticData: { title: 'Availability' },
  validateSearch: ({ names }: Record<string, unknown>): { names?: string } =>
    typeof names === 'string' && names !== '' ? { names } : {},
  component: lazyRouteComponent(() => import('./availability.tsx'), 'Availability'),
});

export const whoisRoutes = [recordRoute, availabilityRoute];
