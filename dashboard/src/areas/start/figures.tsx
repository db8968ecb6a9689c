import type { Usage } from '@mainstay/sdk';
import { useQuery } from '@tanstack/react-query';
import type { LinkProps } from '@tanstack/react-router';
import { bytesText, costText, counted, countText, microsText, percentText } from '#api/numbers.ts';
import { storedQuery } from '#areas/applications/queries.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { aiCostQuery, hitRates, type Range, ranges, usageQuery } from '#areas/start/data.ts';
import { Figure, type FigureProps } from '#ui/figure.tsx';
import { Pending } from '#ui/pending.tsx';

/** How the organization does: numbers, their course, and how they were before. */
export function Figures({ organizationId, range }: { organizationId: string; range: Range }) {
  const query = useQuery(usageQuery(organizationId, range));
  const can = useCan();
  const { slug } = useOrganization();
  const link: LinkProps = { to: '/o/$slug/usage', params: { slug }, search: { range } };
  if (!query.data) return <Pending query={query} className="h-32" />;
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-3">
      {figuresOf(query.data, range).map((figure) => (
        <Figure key={figure.label} {...figure} link={link} />
      ))}
      {can('getAiUsageSeries') && <AiCost organizationId={organizationId} range={range} />}
      {can('getStorageTotals') && (
        <Stored organizationId={organizationId} points={query.data.levels.storageBytes} link={link} />
      )}
    </div>
  );
}

function AiCost({ organizationId, range }: { organizationId: string; range: Range }) {
  const { slug } = useOrganization();
  const { data } = useQuery(aiCostQuery(organizationId, range));
  const before = ranges.find(({ value }) => value === range)?.before ?? '';
  return (
    <Figure
      label="AI cost"
      value={data ? costText(data.micros) : '–'}
      exact={data && microsText(data.micros)}
      note={data ? `${costText(data.previousMicros)} in ${before}` : ''}
      points={data?.points ?? []}
      link={{ to: '/o/$slug/ai', params: { slug } }}
    />
  );
}

interface StoredProps {
  organizationId: string;
  points: (number | null)[];
  link: LinkProps;
}

function Stored({ organizationId, points, link }: StoredProps) {
  const { data } = useQuery(storedQuery(organizationId));
  return (
    <Figure
      label="Storage used"
      value={data ? bytesText(data.bytes) : '–'}
      note={data ? `${counted(data.objects, 'object')} in ${counted(data.buckets, 'bucket')}` : ''}
      points={points}
      link={link}
    />
  );
}

function figuresOf({ counters, totals, previous }: Usage, range: Range): FigureProps[] {
  const before = ranges.find(({ value }) => value === range)?.before ?? '';
  const errors = totals.clientErrors + totals.serverErrors;
  const lookups = totals.cacheHits + totals.cacheMisses;
  const earlier = previous.cacheHits + previous.cacheMisses;
  return [
    {
      label: 'Requests',
      value: countText(totals.requests),
      note: `${countText(previous.requests)} in ${before}`,
      points: counters.requests,
    },
    {
      label: 'Errors',
      value: countText(errors),
      note:
        errors === 0
          ? 'No errors'
          : `${percentText(errors, totals.requests)} of requests, ${countText(totals.serverErrors)} by the server`,
      points: counters.clientErrors.map((count, at) => count + (counters.serverErrors[at] ?? 0)),
    },
    {
      label: 'Tokens issued',
      value: countText(totals.tokensIssued),
      note: `${countText(previous.tokensIssued)} in ${before}`,
      points: counters.tokensIssued,
    },
    {
      label: 'Cache hit rate',
      value: percentText(totals.cacheHits, lookups),
      note:
        lookups === 0
          ? 'No cache reads'
          : `${countText(lookups)} reads; ${percentText(previous.cacheHits, earlier)} before`,
      points: hitRates(counters),
    },
  ];
}
