import type { ReputationFeed } from '@mainstay/sdk';
import { useMemo, useState } from 'react';
import { StatusBadge } from '#areas/reputation/status-badge.tsx';
import { matches } from '#shell/search.ts';
import { Badge } from '#ui/badge.tsx';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Facts } from '#ui/facts.tsx';
import { FilterField } from '#ui/filter-field.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

const columns: Column<ReputationFeed>[] = [
  {
    id: 'id',
    value: (row) => row.id,
    header: 'Feed',
    sortable: true,
    width: '2fr',
    cell: (row) => <span className="font-mono text-xs font-medium">{row.id}</span>,
  },
  {
    id: 'status',
    value: (row) => row.status,
    header: 'Status',
    sortable: true,
    width: '9rem',
    cell: (row) => <StatusBadge status={row.status} />,
  },
  {
    id: 'names',
    value: (row) => row.names,
    header: 'Names',
    sortable: true,
    width: '6rem',
    align: 'end',
    cell: (row) => <span className="tabular-nums">{row.names.toLocaleString('en')}</span>,
  },
  {
    id: 'licence',
    value: (row) => row.licence,
    header: 'Licence',
    wide: true,
    cell: (row) => <span className="text-muted">{row.licence}</span>,
  },
  {
    id: 'age',
    value: ({ changedAt, fetchedAt }) => changedAt ?? fetchedAt ?? '',
    header: 'Age',
    sortable: true,
    width: '9rem',
    wide: true,
    cell: (row) => (row.error ? <Badge tone="danger">Failing</Badge> : <Age feed={row} />),
  },
];

function Age({ feed: { changedAt, fetchedAt, source } }: { feed: ReputationFeed }) {
  const time = changedAt ?? fetchedAt;
  if (time) return <RelativeTime time={time} />;
  return <span className="text-faint">{source.type === 'url' ? 'Not yet fetched' : 'Bundled'}</span>;
}

const rowId = ({ id }: ReputationFeed) => id;

interface FeedTableProps {
  feeds: readonly ReputationFeed[];
  filter: string | undefined;
  onFilter: (text: string) => void;
}

export function FeedTable({ feeds, filter, onFilter }: FeedTableProps) {
  const [open, setOpen] = useState<ReputationFeed>();
  const rows = useMemo(
    () =>
      feeds.filter(({ id, status, licence, source }) => matches(filter, id, status, licence, source.name)),
    [feeds, filter],
  );
  return (
    <>
      <div className="mb-3">
        <FilterField label="Filter threat feeds" value={filter ?? ''} onChange={onFilter} />
      </div>
      <DataTable
        label="Lists"
        rows={rows}
        columns={columns}
        rowId={rowId}
        onOpen={setOpen}
        empty={`No threat feeds match “${filter}”.`}
      />
      <Dialog open={open !== undefined} wide onClose={() => setOpen(undefined)} title={open?.id ?? ''}>
        {open && <FeedFacts feed={open} />}
      </Dialog>
    </>
  );
}

function FeedFacts({ feed }: { feed: ReputationFeed }) {
  const { refused } = feed;
  const count = (number: number) => number.toLocaleString('en');
  return (
    <>
      {feed.error && <ErrorNotice className="mb-4" sentence={feed.error} />}
      <Facts
        facts={[
          ['Status', <StatusBadge key="status" status={feed.status} />],
          ['From', `${feed.source.name} (${feed.source.type})`],
          ['Licence', feed.licence],
          [
            'Page',
            feed.homepage && (
              <a
                href={feed.homepage}
                rel="noreferrer"
                target="_blank"
                className="text-accent-text hover:underline"
              >
                {feed.homepage}
              </a>
            ),
          ],
          ['Names in use', count(feed.names)],
          [
            'Rejected',
            `${count(refused.malformed)} malformed, ${count(refused.suffix)} whole suffixes, ${count(refused.private)} private, ${count(refused.genuine)} of well-known brands`,
          ],
          ['Fetched every', feed.refreshSeconds && `${Math.round(feed.refreshSeconds / 3600)} hours`],
          ['Checked', feed.checkedAt && <RelativeTime time={feed.checkedAt} />],
          ['Fetched', feed.fetchedAt && <RelativeTime time={feed.fetchedAt} />],
          ['Changed', feed.changedAt && <RelativeTime time={feed.changedAt} />],
        ]}
      />
    </>
  );
}
