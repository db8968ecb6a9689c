import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { demands } from '#areas/organizations/permissions.ts';
import { applicationRoute } from '#shell/routes.ts';
import { type CreateSearch, readCreate } from '#shell/search.ts';

interface CacheSearch extends CreateSearch {
  prefix?: string;
  /** The item that is open. */
  key?: string;
}

const cacheRoute = createRoute({
  getParentRoute: () => applicationRoute,
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
  beforeLoad: demands('listApplicationCacheKeys'),
  component: lazyRouteComponent(() => import('./cache.tsx'), 'Cache'),
});

export const cacheRoutes = [cacheRoute];
