import type { Usage } from '@mainstay/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { bytesText, countText, hundredthsText } from '#api/numbers.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { hitRates, timesOf, usageQuery } from '#areas/start/data.ts';
import { DeploymentLimits } from '#areas/start/deployment-limits.tsx';
import { RangeChoice } from '#areas/start/range-choice.tsx';
import { Card } from '#ui/card.tsx';
import { Chart } from '#ui/chart.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { Pending } from '#ui/pending.tsx';
import type { PlotProps } from '#ui/plot.tsx';

const route = getRouteApi('/signed-in/o/$slug/usage');

/** The figures of the overview as charts, for those who want to know when. */
export function UsagePage() {
  const { id, slug, name } = useOrganization();
  const { range = '24h' } = route.useSearch();
  const navigate = route.useNavigate();
  const can = useCan();
  const query = useQuery(usageQuery(id, range));
  return (
    <>
      <PageHeader
        title="Usage"
        description="Requests, errors, tokens, cache reads and storage of all applications over time. Use of the dashboard is not counted."
        crumbs={[{ text: name, link: { to: '/o/$slug', params: { slug }, search: { range } } }]}
        actions={
          <RangeChoice
            range={range}
            onChange={(next) => void navigate({ search: { range: next }, replace: true })}
          />
        }
        call={{ method: 'GET', path: `/organizations/${id}/usage?range=${range}` }}
      />
      <Pending query={query} className="h-96" />
      {query.data && (
        <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
          {chartsOf(query.data).map((chart) => (
            <Card key={chart.label}>
              <Chart {...chart} />
            </Card>
          ))}
        </div>
      )}
      {can('getDeploymentUsage') && <DeploymentLimits />}
    </>
  );
}

function chartsOf(usage: Usage): PlotProps[] {
  const times = timesOf(usage);
  const { counters, levels } = usage;
  return [
    {
      label: 'Requests',
      times,
      series: [{ label: 'Requests', values: counters.requests }],
      format: countText,
    },
    {
      label: 'Errors',
      times,
      series: [
        { label: '4xx', values: counters.clientErrors, tone: 'warning' },
        { label: '5xx', values: counters.serverErrors, tone: 'danger' },
      ],
      stacked: true,
      format: countText,
    },
    {
      label: 'Tokens issued',
      times,
      series: [{ label: 'Tokens', values: counters.tokensIssued }],
      format: countText,
    },
    {
      label: 'Cache hit rate',
      times,
      series: [
        { label: 'Hit rate', values: hitRates(counters).map((rate) => (rate === null ? null : rate * 100)) },
      ],
      format: hundredthsText,
    },
    {
      label: 'Cache reads',
      times,
      series: [
        { label: 'Hits', values: counters.cacheHits },
        { label: 'Misses', values: counters.cacheMisses },
      ],
      stacked: true,
      format: countText,
    },
    {
      label: 'Storage used',
      times,
      series: [{ label: 'Storage', values: levels.storageBytes }],
      format: bytesText,
    },
  ];
}
