import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { productsQuery } from '#areas/products/data.ts';
import { organizationRoute } from '#shell/routes.ts';
import { readFilter } from '#shell/search.ts';

const productsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/settings/products',
  staticData: { title: 'Products' },
  validateSearch: readFilter,
  loader: ({ context: { queryClient, organization } }) =>
    queryClient.ensureQueryData(productsQuery(organization.id)),
  component: lazyRouteComponent(() => import('./products.tsx'), 'Products'),
});

export const productRoutes = [productsRoute];
