import { useQuery } from '@tanstack/react-query';
import { Checklist } from '#areas/applications/checklist.tsx';
import { useApplication, useEnvironments } from '#areas/applications/data.ts';
import { LastDeploymentsCard } from '#areas/applications/deployments-card.tsx';
import { ApplicationFigures } from '#areas/applications/overview-figures.tsx';
import { hostnamesQuery } from '#areas/applications/queries.ts';
import { LiveCard } from '#areas/deployments/live-card.tsx';
import { useCan } from '#areas/organizations/permissions.ts';
import { Card } from '#ui/card.tsx';
import { Mono } from '#ui/code-block.tsx';
import { Facts } from '#ui/facts.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

/** What is live, how it does, and on the first visit what to do next. */
export function Overview() {
  const application = useApplication();
  const environments = useEnvironments();
  const can = useCan();
  const { data: hostnames } = useQuery(hostnamesQuery(application.id));
  const own = hostnames?.items.find(({ type, source }) => type === 'APP' && source === 'system');
  return (
    <>
      <PageHeader
        title={application.name}
        description="What is live and how it performs."
        badge={
          own && (
            <StatusBadge
              status={own.active ? 'live' : 'inactive'}
              text={own.active ? 'Live' : 'Not deployed'}
            />
          )
        }
        call={{ method: 'GET', path: `/applications/${application.id}` }}
      />
      <ApplicationFigures />
      <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="grid min-w-0 gap-4">
          <Checklist />
          {can('listDeployments') && <LiveCard />}
          {can('listDeployments') && <LastDeploymentsCard />}
        </div>
        <Card title="About">
          <Facts
            facts={[
              ['Hostname', own && <Mono copy>{own.hostname}</Mono>],
              [
                'Application ID',
                <Mono key="id" copy>
                  {application.id}
                </Mono>,
              ],
              ['Environments', environments.map(({ name }) => name).join(', ')],
              ['Root directory', application.rootDirectory],
              ['Created', <RelativeTime key="created" time={application.createdAt} />],
            ]}
          />
        </Card>
      </div>
    </>
  );
}
