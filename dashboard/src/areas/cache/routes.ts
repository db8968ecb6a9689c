import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { organizationRoute } from '#shell/routes.ts';
import { type CreateSearch, readCreate } from '#shell/search.ts';

interface CacheSearch extends CreateSearch {
  prefix?: string;
  /** The item that is open. */
  key?: string;
}

const cacheRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/cache',
  staticData: { title: 'Cache' },
  validateSearch: (search: Record<string, unknown>): CacheSearch => {
    const { prefix, key } = search;
    return {
      ...readCreate(search),
      ...(typeof prefix === 'string' && prefix !== '' ? { prefix } : {}),
      ...(typeof key === 'string' && key !== '' ? { key } : {}),
    };
  },
  component: lazyRouteComponent(() => import('./cache.tsx'), 'Cache'),
});

export const cacheRoutes = [cacheRoute];
