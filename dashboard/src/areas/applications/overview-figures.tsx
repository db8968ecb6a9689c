import { useQuery } from '@tanstack/react-query';
import { bytesText, counted, countText, millisecondsText, percentText } from '#api/numbers.ts';
import { useApplication } from '#areas/applications/data.ts';
import { storedQuery } from '#areas/applications/queries.ts';
import { statsQuery as cacheQuery, useApplicationCache } from '#areas/cache/data.ts';
import { statsQuery } from '#areas/logs/data.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { Figure } from '#ui/figure.tsx';

/** How the application does, over the last 24 hours. Tiles of what the role or the plan leaves out are not shown. */
export function ApplicationFigures() {
  const can = useCan();
  return (
    <div className="mb-4 grid grid-cols-2 gap-3 lg:grid-cols-5">
      {can('getRequestStats') && <RequestFigures />}
      {can('getApplicationCacheStats') && <CacheFigure />}
      {can('getStorageTotals') && <StorageFigure />}
    </div>
  );
}

function usePlaceParams() {
  const { slug } = useOrganization();
  const { id: applicationId } = useApplication();
  return { slug, applicationId };
}

function RequestFigures() {
  const params = usePlaceParams();
  const { data } = useQuery({ ...statsQuery(params.applicationId, {}, 0), refetchInterval: 30_000 });
  const link = { to: '/o/$slug/apps/$applicationId/logs/analytics' as const, params };
  const total = data?.total;
  const errors = total?.families['5xx'] ?? 0;
  const series = data?.series ?? [];
  return (
    <>
      <Figure
        label="Requests"
        value={total ? countText(total.requests) : '–'}
        note="Last 24 hours"
        points={series.map(({ requests }) => requests)}
        link={link}
      />
      <Figure
        label="Error rate"
        value={total ? percentText(errors, total.requests) : '–'}
        note={errors === 0 ? 'No errors' : `${countText(errors)} answered with 5xx`}
        points={series.map(({ families, requests }) => (requests === 0 ? 0 : families['5xx'] / requests))}
        link={link}
      />
      <Figure
        label="Response time"
        value={millisecondsText(total?.p95 ?? null)}
        note={`p95; half within ${millisecondsText(total?.p50 ?? null)}`}
        points={series.map(({ p95 }) => p95)}
        link={link}
      />
    </>
  );
}

function CacheFigure() {
  const params = usePlaceParams();
  const { data } = useQuery({ ...cacheQuery(useApplicationCache()), refetchInterval: 30_000 });
  const reads = data ? data.hits + data.misses : 0;
  return (
    <Figure
      label="Cache hit rate"
      value={data ? percentText(data.hits, reads) : '–'}
      note={reads === 0 ? 'No cache reads' : `${countText(reads)} reads, ${bytesText(data?.bytes ?? 0)} kept`}
      link={{ to: '/o/$slug/apps/$applicationId/cache', params }}
    />
  );
}

function StorageFigure() {
  const params = usePlaceParams();
  const { organizationId } = useApplication();
  const { data } = useQuery(storedQuery(organizationId, params.applicationId));
  return (
    <Figure
      label="Storage"
      value={data ? bytesText(data.bytes) : '–'}
      note={data ? `${counted(data.objects, 'object')} in ${counted(data.buckets, 'bucket')}` : ''}
      link={{ to: '/o/$slug/apps/$applicationId/storage', params }}
    />
  );
}
