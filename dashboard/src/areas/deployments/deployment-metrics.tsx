import type { DeploymentMetrics } from '@mainstay/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ComponentProps, useMemo } from 'react';
import {
  bytesText,
  counted,
  countText,
  hundredthsText,
  millisecondsText,
  percentText,
} from '#api/numbers.ts';
import { metricsQuery } from '#areas/deployments/data.ts';
import { hasArtefact, NotBuilt } from '#areas/deployments/deployment-files.tsx';
import { DeploymentFrame } from '#areas/deployments/deployment-frame.tsx';
import { useFunctionFacet } from '#areas/deployments/runtime-logs.tsx';
import { familySeries } from '#areas/logs/data.ts';
import { type Change, RangeField } from '#areas/logs/range-field.tsx';
import { Card } from '#ui/card.tsx';
import { Chart } from '#ui/chart.tsx';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { TryAgain } from '#ui/paged-table.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

const route = getRouteApi('/signed-in/o/$slug/apps/$applicationId/deployments/$deploymentId/metrics');

export function DeploymentMetricsPage() {
  const { deploymentId } = route.useParams();
  return (
    <DeploymentFrame deploymentId={deploymentId}>
      {(deployment) => (hasArtefact(deployment) ? <Metrics id={deployment.id} /> : <NotBuilt />)}
    </DeploymentFrame>
  );
}

function Metrics({ id }: { id: string }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change: Change = (next) =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true });
  const facets = useFunctionFacet(id, true, search.function);
  const { data, error, refetch, isPlaceholderData } = useQuery(metricsQuery(id, search));
  return (
    <>
      <FilterBar search={search} onChange={change} facets={facets}>
        <RangeField search={search} onChange={change} />
      </FilterBar>
      {error && <TryAgain error={error} refetch={refetch} />}
      {!data && !error && <Skeleton className="h-96 w-full" />}
      {data && (
        <div aria-busy={isPlaceholderData} className={isPlaceholderData ? 'opacity-60' : ''}>
          <Charts
            metrics={data}
            onBrush={(range) =>
              change({
                from: range && new Date(range[0] * 1000).toISOString(),
                to: range && new Date(range[1] * 1000).toISOString(),
              })
            }
          />
          {data.functions.length > 0 && (
            <section className="mt-4" aria-label="By function">
              <DataTable
                label="Functions"
                rows={data.functions}
                columns={functionColumns}
                rowId={({ id: functionId }) => functionId}
                remember="deployment-functions"
                onOpen={({ name }) => change({ function: search.function === name ? undefined : name })}
              />
              {!data.functionsComplete && (
                <p className="mt-3 text-muted">
                  Function requests cover only the newest part of this time range because there are too many.
                </p>
              )}
            </section>
          )}
        </div>
      )}
    </>
  );
}

type Step = DeploymentMetrics['series'][number];
const failed = ({ families }: Pick<Step, 'families'>) => families['5xx'] + families.none;
const instancesText = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 2 });

interface ChartsProps {
  metrics: DeploymentMetrics;
  onBrush: NonNullable<ComponentProps<typeof Chart>['onBrush']>;
}

function Charts({ metrics: { series, total }, onBrush }: ChartsProps) {
  const charts = useMemo(() => {
    const of = (label: string, value: (step: Step) => number | null) => ({
      label,
      values: series.map(value),
    });
    return {
      times: series.map(({ at }) => Date.parse(at) / 1000),
      requests: familySeries(series),
      errors: [of('Error rate', (step) => (step.requests > 0 ? (100 * failed(step)) / step.requests : null))],
      durations: [of('p50', ({ p50 }) => p50), of('p95', ({ p95 }) => p95), of('p99', ({ p99 }) => p99)],
      memory: [
        of('Average', ({ memoryBytes }) => memoryBytes),
        of('Peak', ({ memoryPeakBytes }) => memoryPeakBytes),
      ],
      instances: [of('Instances', ({ instances }) => instances)],
      starts: [
        of('Cold starts', ({ coldStarts }) => coldStarts),
        of('Warm starts', ({ prewarmedStarts }) => prewarmedStarts),
        of('Resumes', ({ wakes }) => wakes),
      ],
      trouble: [of('Crashes', ({ crashes }) => crashes), of('Rejected', ({ rejected }) => rejected)],
      cpu: [of('CPU time', ({ cpuMilliseconds }) => cpuMilliseconds)],
    };
  }, [series]);
  const of = { times: charts.times, onBrush };
  const mostInstances = Math.max(0, ...series.map(({ instances }) => instances));
  const starts = total.coldStarts + total.prewarmedStarts;
  return (
    <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
      <Card title={counted(total.requests, 'request')} description={`${bytesText(total.bytes)} sent`}>
        <Chart label="Requests" {...of} series={charts.requests} format={countText} stacked />
      </Card>
      <Card
        title={`${percentText(failed(total), total.requests)} errors`}
        description="Responses with 5xx, and requests without a response."
      >
        <Chart label="Error rate" {...of} series={charts.errors} format={hundredthsText} />
      </Card>
      <Card title={`p95 ${millisecondsText(total.p95)}`} description={`Mean ${millisecondsText(total.mean)}`}>
        <Chart label="Duration" {...of} series={charts.durations} format={millisecondsText} />
      </Card>
      <Card
        title={
          total.memoryPeakBytes === null ? 'No memory measured' : `${bytesText(total.memoryPeakBytes)} peak`
        }
        description="Memory per process. Measured only if the server can write cgroups."
      >
        <Chart label="Memory" {...of} series={charts.memory} format={bytesText} />
      </Card>
      <Card
        title={`${instancesText(mostInstances)} instances at most`}
        description="Average number of processes per interval, including frozen ones."
      >
        <Chart label="Instances" {...of} series={charts.instances} format={instancesText} />
      </Card>
      <Card
        title={`${countText(starts)} ${starts === 1 ? 'start' : 'starts'}`}
        description={`${countText(total.wakes)} frozen processes resumed by a request.`}
      >
        <Chart label="Starts" {...of} series={charts.starts} format={countText} />
      </Card>
      <Card
        title={`${countText(total.crashes)} ${total.crashes === 1 ? 'crash' : 'crashes'}`}
        description={`${countText(total.rejected)} requests timed out waiting for a process.`}
      >
        <Chart label="Crashes and rejected requests" {...of} series={charts.trouble} format={countText} />
      </Card>
      <Card title={`${millisecondsText(total.cpuMilliseconds)} of CPU`} description="Total of all processes.">
        <Chart label="CPU time" {...of} series={charts.cpu} format={millisecondsText} />
      </Card>
    </div>
  );
}

type FunctionRow = DeploymentMetrics['functions'][number];
const functionColumns: Column<FunctionRow>[] = [
  { id: 'name', header: 'Function', value: (row) => row.name, sortable: true, fixed: true, width: '2fr' },
  {
    id: 'requests',
    header: 'Requests',
    value: (row) => row.requests,
    cell: (row) => countText(row.requests),
    sortable: true,
    align: 'end',
  },
  {
    id: 'errors',
    header: 'Errors',
    value: (row) => row.errors,
    cell: (row) => countText(row.errors),
    sortable: true,
    align: 'end',
  },
  {
    id: 'instances',
    header: 'Instances',
    value: (row) => row.instances,
    cell: (row) => instancesText(row.instances),
    sortable: true,
    align: 'end',
    wide: true,
  },
  {
    id: 'starts',
    header: 'Starts',
    value: (row) => row.coldStarts + row.prewarmedStarts,
    sortable: true,
    align: 'end',
    wide: true,
  },
  {
    id: 'crashes',
    header: 'Crashes',
    value: (row) => row.crashes,
    sortable: true,
    align: 'end',
    wide: true,
  },
  {
    id: 'cpu',
    header: 'CPU',
    value: (row) => row.cpuMilliseconds,
    cell: (row) => millisecondsText(row.cpuMilliseconds),
    sortable: true,
    align: 'end',
    wide: true,
  },
  {
    id: 'memory',
    header: 'Memory',
    value: (row) => row.memoryPeakBytes,
    cell: (row) => (row.memoryPeakBytes === null ? '–' : bytesText(row.memoryPeakBytes)),
    sortable: true,
    align: 'end',
    wide: true,
  },
];
