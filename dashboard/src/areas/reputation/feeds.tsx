import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { feedsQuery } from '#areas/reputation/data.ts';
import { FeedTable } from '#areas/reputation/feed-table.tsx';
import { LookupHeader } from '#areas/reputation/lookup-tabs.tsx';

const route = getRouteApi('/signed-in/o/$slug/lookups/threat-feeds');

export function Feeds() {
  const { filter } = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = useSuspenseQuery(feedsQuery);
  return (
    <>
      <LookupHeader call={{ method: 'GET', path: '/web-reputation/feeds' }} />
      <FeedTable
        feeds={data}
        filter={filter}
        onFilter={(text) => void navigate({ search: text ? { filter: text } : {}, replace: true })}
      />
    </>
  );
}
