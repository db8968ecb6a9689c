import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { api } from '#api/client.ts';
import { DoorCard } from '#areas/sign-in/door-card.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

const route = getRouteApi('/door/preview-access');

/** Somebody was sent here by a protected deployment: signed in by now, they go back with what lets them in. */
export function PreviewAccess() {
  const { hostname, to, state } = route.useSearch();
  const { data, error } = useQuery({
    queryKey: ['preview-access', hostname, state],
    queryFn: () => api.environmentProtection.enter({ hostname, state, to }),
    retry: false,
    gcTime: 0,
  });
  useEffect(() => {
    if (data) location.replace(data.url);
  }, [data]);
  return (
    <DoorCard title={error ? 'You cannot see this deployment' : 'One moment'} description={hostname}>
      {error ? <ErrorNotice error={error} /> : <Skeleton className="h-10" />}
    </DoorCard>
  );
}
