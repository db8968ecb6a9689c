import type { AuditFacets, AuditRecord } from '@mainstay/sdk';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { Page } from '#api/pages.ts';
import { ActorText } from '#areas/audit-log/actor-name.tsx';
import type { AuditSearch } from '#areas/audit-log/search.ts';
import { targetText } from '#areas/audit-log/target-text.ts';
import { Button } from '#ui/button.tsx';
import { buttonClass } from '#ui/button-class.ts';
import { CodeBlock, Mono } from '#ui/code-block.tsx';
import type { Column } from '#ui/data-table.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Facts } from '#ui/facts.tsx';
import { PagedTable } from '#ui/paged-table.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

interface AuditTableProps {
  query: UseInfiniteQueryResult<InfiniteData<Page<AuditRecord>>>;
  /** By name, as far as they are known. */
  actors: AuditFacets['actors'] | undefined;
  /** Of the organization whose screens targets lead to. */
  slug?: string;
  onFilter: (search: AuditSearch) => void;
}

const rowId = ({ id }: AuditRecord) => id;

export function AuditTable({ query, actors, slug, onFilter }: AuditTableProps) {
  const [open, setOpen] = useState<AuditRecord>();
  const names = useMemo(() => new Map(actors?.map(({ id, name }) => [id, name ?? ''])), [actors]);
  const columns = useMemo(() => columnsOf(names), [names]);
  const filter = (search: AuditSearch) => {
    setOpen(undefined);
    onFilter(search);
  };
  return (
    <>
      <PagedTable
        label="Audit log"
        query={query}
        columns={columns}
        rowId={rowId}
        onOpen={setOpen}
        remember="audit-log"
        empty="No records match the filters."
      />
      <Dialog open={open !== undefined} wide onClose={() => setOpen(undefined)} title={open?.action ?? ''}>
        {open && <Details record={open} names={names} slug={slug} onFilter={filter} />}
      </Dialog>
    </>
  );
}

const columnsOf = (names: Map<string, string>): Column<AuditRecord>[] => [
  {
    id: 'action',
    value: (row) => row.action,
    header: 'Action',
    width: '3fr',
    cell: (row) => <span className="font-mono text-xs font-medium">{row.action}</span>,
  },
  {
    id: 'actor',
    header: 'Actor',
    width: '2fr',
    cell: (row) => <ActorText actor={row.actor} name={names.get(row.actor.id ?? '') || undefined} />,
  },
  {
    id: 'target',
    header: 'Target',
    width: '3fr',
    wide: true,
    cell: (row) => <span className="text-muted">{targetText(row)}</span>,
  },
  {
    id: 'createdAt',
    value: (row) => row.createdAt,
    header: 'Time',
    width: '8rem',
    cell: (row) => <RelativeTime time={row.createdAt} />,
  },
];

interface DetailsProps {
  record: AuditRecord;
  slug: string | undefined;
  names: Map<string, string>;
  onFilter: (search: AuditSearch) => void;
}

function Details({ record, names, slug, onFilter }: DetailsProps) {
  const { actor, target, action } = record;
  return (
    <div className="space-y-4">
      <Facts
        facts={[
          ['Time', <RelativeTime key="when" time={record.createdAt} />],
          ['Actor', <ActorText key="by" actor={actor} name={names.get(actor.id ?? '') || undefined} />],
          ['Actor ID', actor.id && <Mono copy>{actor.id}</Mono>],
          ['Target', target.type],
          ['Target ID', target.id && <Mono copy>{target.id}</Mono>],
          ['Request ID', record.requestId && <Mono copy>{record.requestId}</Mono>],
        ]}
      />
      <CodeBlock label="Details" code={JSON.stringify(record.details, null, 2)} />
      <div className="flex flex-wrap gap-2">
        <TargetLink record={record} slug={slug} />
        <Button size="sm" onClick={() => onFilter({ action })}>
          Filter by action
        </Button>
        {actor.id && (
          <Button size="sm" onClick={() => onFilter({ actorId: actor.id ?? '' })}>
            Filter by actor
          </Button>
        )}
        {target.id && (
          <Button size="sm" onClick={() => onFilter({ targetType: target.type, targetId: target.id ?? '' })}>
            Filter by target
          </Button>
        )}
      </div>
    </div>
  );
}

/** The screen of what it was done to, where there is one. */
function TargetLink({ record, slug }: { record: AuditRecord; slug: string | undefined }) {
  const { type, id } = record.target;
  if (slug === undefined || id === null) return null;
  const look = buttonClass({ size: 'sm', look: 'primary' });
  if (type === 'api_key' && record.action !== 'api_key.revoked')
    return (
      <Link to="/o/$slug/keys/$keyId" params={{ slug, keyId: id }} className={look}>
        View key
      </Link>
    );
  if (type === 'member')
    return (
      <Link to="/o/$slug/members" params={{ slug }} className={look}>
        View members
      </Link>
    );
  if (type === 'env_var' && typeof record.details['key'] === 'string')
    return (
      <Link
        to="/o/$slug/variables"
        params={{ slug }}
        search={{ filter: record.details['key'] }}
        className={look}
      >
        View variable
      </Link>
    );
  return null;
}
