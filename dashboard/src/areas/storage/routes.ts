import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { environmentOf } from '#areas/applications/data.ts';
import { demands } from '#areas/organizations/permissions.ts';
import {
  bucketsQuery,
  entriesQuery,
  type Place,
  settingsQuery,
  trashQuery,
  usageQuery,
} from '#areas/storage/data.ts';
import { applicationRoute } from '#shell/routes.ts';
import { type CreateSearch, type ListSearch, readCreate, readList } from '#shell/search.ts';

type BucketsSearch = ListSearch & CreateSearch;

const staticData = { title: 'Storage', wide: true, environment: true } as const;

/** What `usePlace()` says where there are no hooks. */
function placeOf(
  context: Parameters<typeof environmentOf>[0],
  { search }: { search: object },
  { bucket }: { bucket: string } = { bucket: '' },
): Place {
  const environment = environmentOf(context, search)?.slug ?? '';
  return { applicationId: context.application.id, environment, bucket };
}

const bucketsRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/storage',
  staticData,
  validateSearch: (search: Record<string, unknown>): BucketsSearch => ({
    ...readList<never>(search),
    ...readCreate(search),
  }),
  beforeLoad: demands('listStorageBuckets'),
  loader: ({ context, location }) => {
    const { applicationId, environment } = placeOf(context, location);
    return context.queryClient.prefetchQuery(bucketsQuery(applicationId, environment));
  },
  component: lazyRouteComponent(() => import('./buckets.tsx'), 'Buckets'),
});

/** No bucket has a name of two characters. */
const s3CredentialsRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/storage/s3',
  staticData: { title: 'S3 credentials', wide: true, environment: true },
  beforeLoad: demands('listS3Credentials'),
  component: lazyRouteComponent(() => import('./s3-credentials.tsx'), 'S3Credentials'),
});

interface FilesSearch {
  /** The folder, or the beginning of keys, that is shown. */
  prefix?: string;
  /** The object that is open. */
  object?: string;
}

const readFiles = ({ prefix, object }: Record<string, unknown>): FilesSearch => ({
  ...(typeof prefix === 'string' && prefix !== '' ? { prefix } : {}),
  ...(typeof object === 'string' && object !== '' ? { object } : {}),
});

const filesRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/storage/$bucket',
  staticData,
  validateSearch: readFiles,
  beforeLoad: demands('listStorageObjects'),
  loader: ({ context, location, params }) =>
    context.queryClient.prefetchInfiniteQuery(
      entriesQuery(placeOf(context, location, params), readFiles({ ...location.search }).prefix ?? ''),
    ),
  component: lazyRouteComponent(() => import('./files.tsx'), 'Files'),
});

const trashRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/storage/$bucket/trash',
  staticData,
  validateSearch: readFiles,
  beforeLoad: demands('listStorageTrash'),
  loader: ({ context, location, params }) =>
    context.queryClient.prefetchInfiniteQuery(
      trashQuery(placeOf(context, location, params), readFiles({ ...location.search }).prefix ?? ''),
    ),
  component: lazyRouteComponent(() => import('./trash.tsx'), 'Trash'),
});

const usageRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/storage/$bucket/usage',
  staticData,
  beforeLoad: demands('listStorageBucketUsage'),
  loader: ({ context, location, params }) => {
    const place = placeOf(context, location, params);
    return Promise.all([
      context.queryClient.prefetchQuery(usageQuery(place)),
      context.queryClient.prefetchQuery(settingsQuery(place)),
    ]);
  },
  component: lazyRouteComponent(() => import('./usage.tsx'), 'Usage'),
});

const settingsRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/storage/$bucket/settings',
  staticData: { title: 'Storage', environment: true },
  beforeLoad: demands('getStorageBucketSettings'),
  loader: ({ context, location, params }) =>
    context.queryClient.prefetchQuery(settingsQuery(placeOf(context, location, params))),
  component: lazyRouteComponent(() => import('./settings.tsx'), 'BucketSettings'),
});

export const storageRoutes = [
  bucketsRoute,
  s3CredentialsRoute,
  filesRoute,
  trashRoute,
  usageRoute,
  settingsRoute,
];
