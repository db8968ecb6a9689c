import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { RefreshCw } from 'lucide-react';
import { useAction } from '#api/action.ts';
import { api } from '#api/client.ts';
import { ReputationTabs } from '#areas/instance/threat-feed-tabs.tsx';
import { feedsQuery } from '#areas/reputation/data.ts';
import { FeedTable } from '#areas/reputation/feed-table.tsx';
import { Button } from '#ui/button.tsx';
import { PageHeader } from '#ui/page-header.tsx';

const route = getRouteApi('/signed-in/instance/threat-feeds');

export function ThreatFeeds() {
  const { filter } = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = useSuspenseQuery({ ...feedsQuery, refetchInterval: 10_000 });
  const failing = data.filter(({ error }) => error !== null).length;
  const refresh = useAction({
    run: () => api.admin.refreshReputationFeeds(),
    refresh: [feedsQuery.queryKey],
    done: 'Fetching feeds. This page updates when they are ready.',
  });
  return (
    <>
      <PageHeader
        title="Threat feeds"
        description={
          failing === 0
            ? 'Data sources of web reputation.'
            : `Data sources of web reputation. ${failing} could not be fetched: the previous data stays in use.`
        }
        call={{ method: 'POST', path: '/admin/web-reputation/refresh' }}
        actions={
          <Button busy={refresh.isPending} onClick={() => refresh.mutate()}>
            <RefreshCw aria-hidden />
            Fetch now
          </Button>
        }
      />
      <ReputationTabs />
      <FeedTable
        feeds={data}
        filter={filter}
        onFilter={(text) => void navigate({ search: text ? { filter: text } : {}, replace: true })}
      />
    </>
  );
}
