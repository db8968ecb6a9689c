import type { AiUsageSeries, AiUsageSummary } from '@mainstay/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Sparkles } from 'lucide-react';
import { useMemo } from 'react';
import { counted, countText, microsText, millisecondsText, percentText } from '#api/numbers.ts';
import { searchText } from '#api/pages.ts';
import { AiTabs } from '#areas/ai-gateway/ai-tabs.tsx';
import { Cost } from '#areas/ai-gateway/cost.tsx';
import { aiPath, seriesQuery, summaryQuery } from '#areas/ai-gateway/data.ts';
import { costText } from '#areas/ai-gateway/money.ts';
import { type NameOf, useNames } from '#areas/ai-gateway/names.ts';
import { type Breakdown, breakdowns, defaultRange, rangeStart } from '#areas/ai-gateway/search.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import type { Range } from '#areas/start/data.ts';
import { RangeChoice } from '#areas/start/range-choice.tsx';
import { changed } from '#shell/search.ts';
import { buttonClass } from '#ui/button-class.ts';
import { Card } from '#ui/card.tsx';
import { Chart } from '#ui/chart.tsx';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { Pending } from '#ui/pending.tsx';
import { Select } from '#ui/select.tsx';

const route = getRouteApi('/signed-in/o/$slug/ai');
type Row = AiUsageSummary['byModel'][number];
type Point = AiUsageSeries['items'][number];
const rowId = ({ label }: Row) => label;

/** What models cost, how much they are used and how fast they answer. */
export function Usage() {
  const { id, slug } = useOrganization();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { range = defaultRange, by = 'model' } = search;
  const summary = useQuery(summaryQuery(id, range));
  const series = useQuery(seriesQuery(id, range, by));
  const nameOf = useNames(id, by);
  const change = (next: Partial<typeof search>) =>
    void navigate({ search: (before) => changed(before, next), replace: true });
  const from = rangeStart(range).toISOString();
  const isEmpty = summary.data?.summary.requestCount === 0;
  return (
    <>
      <PageHeader
        title="AI gateway"
        description="One endpoint for every model, with cost, usage and latency."
        call={{ method: 'GET', path: `${aiPath(id)}/usage/summary${searchText({ from })}` }}
        actions={<RangeChoice range={range} onChange={(next) => change({ range: next })} />}
      />
      <AiTabs />
      {isEmpty && (
        <EmptyState
          icon={<Sparkles />}
          title="No requests in this time range"
          action={
            <Link to="/o/$slug/ai/playground" params={{ slug }} className={buttonClass({ look: 'primary' })}>
              Open the playground
            </Link>
          }
          call={{
            method: 'POST',
            path: '/ai/v1/chat/completions',
            body: { model: 'provider/model', messages: [{ role: 'user', content: 'Hello' }] },
          }}
        >
          Point the openai package at {location.origin}/ai/v1. Each request then appears here with its cost,
          tokens and latency.
        </EmptyState>
      )}
      {!isEmpty && (
        <>
          <div className="mb-3 w-56">
            <Select
              label="Broken down by"
              value={by}
              onChange={(next) => change({ by: next })}
              options={breakdowns.map(({ value, label }) => ({ value, label: `By ${label.toLowerCase()}` }))}
            />
          </div>
          <Pending query={summary.error ? summary : series} className="h-[32rem]" />
          {summary.data && series.data && (
            <Charts {...{ range, nameOf }} summary={summary.data.summary} points={series.data} />
          )}
          {summary.data && <Shares by={by} summary={summary.data} nameOf={nameOf} range={range} />}
        </>
      )}
    </>
  );
}

interface ChartsProps {
  range: Range;
  nameOf: NameOf;
  summary: AiUsageSummary['summary'];
  points: AiUsageSeries;
}

function Charts({ range, nameOf, summary, points }: ChartsProps) {
  const charts = useMemo(() => chartsOf(points, range, nameOf), [points, range, nameOf]);
  const { times } = charts;
  return (
    <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
      <Card
        title={`${costText(summary.billableCostMicros)} spent`}
        description={`Exactly ${microsText(summary.billableCostMicros)}`}
      >
        <Chart label="Cost" times={times} series={charts.cost} stacked format={costText} />
      </Card>
      <Card
        title={counted(summary.requestCount, 'request')}
        description={
          summary.errorCount === 0
            ? 'No errors'
            : `${countText(summary.errorCount)} failed, ${percentText(summary.errorCount, summary.requestCount)}`
        }
      >
        <Chart label="Requests" times={times} series={charts.requests} stacked format={countText} />
      </Card>
      <Card
        title={`${countText(summary.totalTokens)} tokens`}
        description={`${countText(summary.inputTokens)} in, ${countText(summary.outputTokens)} out`}
      >
        <Chart label="Tokens" times={times} series={charts.tokens} stacked format={countText} />
      </Card>
      <Card
        title={`${millisecondsText(summary.avgLatencyMs)} mean latency`}
        description="From the request to the end of its answer."
      >
        <Chart label="Latency" times={times} series={charts.latency} format={millisecondsText} />
      </Card>
    </div>
  );
}

/** The two groups that cost the most have a series each; a third one is that of all others. */
function chartsOf({ interval, items }: AiUsageSeries, range: Range, nameOf: NameOf) {
  const step = interval === 'hour' ? 3_600_000 : 86_400_000;
  const first = Math.floor(rangeStart(range).getTime() / step) * step;
  const starts: number[] = [];
  for (let at = first; at <= Date.now(); at += step) starts.push(at);
  const groups = [...Map.groupBy(items, ({ label }) => label)].sort(
    ([, a], [, b]) => sum(b, 'costMicros') - sum(a, 'costMicros') || sum(b, 'requests') - sum(a, 'requests'),
  );
  const shown = groups.length > 3 ? groups.slice(0, 2) : groups;
  const others = groups.slice(shown.length).flatMap(([, points]) => points);
  const curves = [
    ...shown.map(([label, points]) => ({ label: nameOf(label), points })),
    ...(others.length > 0 ? [{ label: `${groups.length - 2} others`, points: others }] : []),
  ].map(({ label, points }) => ({ label, at: Map.groupBy(points, ({ start }) => Date.parse(start)) }));
  const of = (value: (points: readonly Point[]) => number | null) =>
    curves.map(({ label, at }) => ({ label, values: starts.map((start) => value(at.get(start) ?? [])) }));
  return {
    times: starts.map((start) => start / 1000),
    cost: of((points) => sum(points, 'costMicros')),
    requests: of((points) => sum(points, 'requests')),
    tokens: of((points) => sum(points, 'inputTokens') + sum(points, 'outputTokens')),
    latency: of((points) => {
      const requests = sum(points, 'requests');
      const whole = points.reduce((total, one) => total + one.avgLatencyMs * one.requests, 0);
      return requests === 0 ? null : whole / requests;
    }),
  };
}

function sum(points: readonly Point[], name: 'costMicros' | 'requests' | 'inputTokens' | 'outputTokens') {
  return points.reduce((total, point) => total + point[name], 0);
}

interface SharesProps {
  by: Breakdown;
  summary: AiUsageSummary;
  nameOf: NameOf;
  range: Range;
}

/** Each group with its numbers; one that requests can be filtered by leads to them. */
function Shares({ by, summary, nameOf, range }: SharesProps) {
  const { slug } = useOrganization();
  const navigate = route.useNavigate();
  const rows = {
    model: summary.byModel,
    provider: summary.byProvider,
    application: summary.byApplication,
    user: summary.byUser,
  }[by];
  const columns = useMemo(() => columnsOf(by, nameOf), [by, nameOf]);
  const open = ({ label }: Row) =>
    void navigate({ to: '/o/$slug/ai/requests', params: { slug }, search: { range, [by]: label } });
  return (
    <div className="mt-4">
      <DataTable
        label={`Usage by ${by}`}
        rows={rows}
        columns={columns}
        rowId={rowId}
        {...(by === 'user' ? {} : { onOpen: open })}
        empty="No usage in this time range."
      />
    </div>
  );
}

const columnsOf = (by: Breakdown, nameOf: NameOf): Column<Row>[] => [
  {
    id: 'label',
    header: breakdowns.find(({ value }) => value === by)?.label ?? '',
    width: '3fr',
    sortable: true,
    value: ({ label }) => nameOf(label),
    cell: ({ label }) => (
      <span className="truncate font-medium" title={label}>
        {nameOf(label)}
      </span>
    ),
  },
  {
    id: 'cost',
    header: 'Cost',
    width: '7rem',
    align: 'end',
    sortable: true,
    value: ({ costMicros }) => costMicros,
    cell: ({ costMicros }) => <Cost micros={costMicros} />,
  },
  {
    id: 'requests',
    header: 'Requests',
    width: '7rem',
    align: 'end',
    sortable: true,
    value: ({ requests }) => requests,
    cell: ({ requests }) => <span className="tabular-nums">{countText(requests)}</span>,
  },
  {
    id: 'input',
    header: 'Input tokens',
    width: '8rem',
    align: 'end',
    wide: true,
    sortable: true,
    value: ({ inputTokens }) => inputTokens,
    cell: ({ inputTokens }) => <span className="tabular-nums">{countText(inputTokens)}</span>,
  },
  {
    id: 'output',
    header: 'Output tokens',
    width: '8rem',
    align: 'end',
    wide: true,
    sortable: true,
    value: ({ outputTokens }) => outputTokens,
    cell: ({ outputTokens }) => <span className="tabular-nums">{countText(outputTokens)}</span>,
  },
];
