import type { Usage } from '@mainstay/sdk';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { countText, percentText } from '#api/numbers.ts';
import { type Range, ranges, usageQuery } from '#areas/start/data.ts';
import { Pending } from '#ui/pending.tsx';
import { Sparkline } from '#ui/sparkline.tsx';

/** How the programs of the organization are doing: a number, its course, and how it was before. */
export function Figures({ organizationId, range }: { organizationId: string; range: Range }) {
  const query = useQuery(usageQuery(organizationId, range));
  if (!query.data) return <Pending query={query} className="h-32" />;
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {figuresOf(query.data, range).map((figure) => (
        <Figure key={figure.label} {...figure} />
      ))}
    </div>
  );
}

interface FigureProps {
  label: string;
  value: string;
  note: string;
  points: number[];
  tone?: 'danger';
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
          ? 'No request failed'
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
      points: counters.cacheHits.map((hits, at) => {
        const all = hits + (counters.cacheMisses[at] ?? 0);
        return all === 0 ? 0 : hits / all;
      }),
    },
  ];
}

function Figure({ label, value, note, points }: FigureProps): ReactNode {
  return (
    <section aria-label={label} className="min-w-0 rounded-lg border bg-surface p-4">
      <h2 className="text-muted">{label}</h2>
      <p className="mt-1 text-2xl font-semibold tracking-tight tabular-nums">{value}</p>
      <Sparkline className="mt-2" values={points} />
      <p className="mt-2 truncate text-xs text-faint" title={note}>
        {note}
      </p>
    </section>
  );
}
