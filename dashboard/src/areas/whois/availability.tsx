import type { DomainAvailability } from '@mainstay/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ListChecks } from 'lucide-react';
import { searchText } from '#api/pages.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { LookupHeader } from '#areas/reputation/lookup-tabs.tsx';
import { availabilityQuery, namesOf } from '#areas/whois/data.ts';
import { Badge, type Tone } from '#ui/badge.tsx';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { LookUp } from '#ui/look-up.tsx';

const route = getRouteApi('/signed-in/o/$slug/lookups/availability');
const tones: Record<DomainAvailability['status'], Tone> = {
  free: 'success',
  registered: 'neutral',
  reserved: 'warning',
  unknown: 'danger',
};
const sources = { cache: 'Cache', dns: 'DNS', rdap: 'Registry (RDAP)', whois: 'Registry (WHOIS)' };
const rowId = ({ domain }: DomainAvailability) => domain;

export function Availability() {
  const { slug } = useOrganization();
  const { names: text = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const names = namesOf(text);
  const { data, error, isFetching } = useQuery({ ...availabilityQuery(names), enabled: names.length > 0 });
  const call = { method: 'GET', path: `/whois/availability${searchText({ domain: names })}` } as const;
  return (
    <>
      <LookupHeader call={names.length > 0 ? call : undefined} />
      <div className="mb-6">
        <LookUp
          label="Names to check"
          placeholder="acme.com acme.io acme.dev"
          value={text}
          busy={isFetching}
          hint="Up to 20, separated by spaces or commas."
          onLookUp={(next) => void navigate({ search: { names: namesOf(next).join(' ') } })}
        />
      </div>
      {names.length === 0 && (
        <EmptyState
          icon={<ListChecks />}
          title="Check whether a domain is available"
          call={{ method: 'GET', path: '/whois/availability?domain=acme.com&domain=acme.io' }}
        >
          Answered from the cache, DNS or the registry, whichever gives a definite answer first.
        </EmptyState>
      )}
      {error && <ErrorNotice error={error} />}
      {names.length > 0 && !error && (
        <DataTable label="Names" rows={data?.items} columns={columnsOf(slug)} rowId={rowId} />
      )}
    </>
  );
}

const columnsOf = (slug: string): Column<DomainAvailability>[] => [
  {
    id: 'domain',
    value: (row) => row.domain,
    header: 'Name',
    width: '2fr',
    cell: (row) => <span className="font-medium">{row.domain}</span>,
  },
  {
    id: 'status',
    value: (row) => row.status,
    header: 'Status',
    cell: (row) => <Badge tone={tones[row.status]}>{row.status}</Badge>,
  },
  {
    id: 'source',
    value: (row) => row.source,
    header: 'Source',
    wide: true,
    cell: (row) => <span className="text-muted">{row.source ? sources[row.source] : '–'}</span>,
  },
  {
    id: 'record',
    header: 'Actions',
    fixed: true,
    width: '7rem',
    align: 'end',
    cell: (row) =>
      row.status === 'registered' && (
        <Link
          to="/o/$slug/lookups/whois"
          params={{ slug }}
          search={{ domain: row.domain }}
          className="text-accent-text hover:underline"
        >
          Record
        </Link>
      ),
  },
];
