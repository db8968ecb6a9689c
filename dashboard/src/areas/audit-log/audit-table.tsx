import type { AuditRecord } from '@mainstay/sdk';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Page } from '#api/pages.ts';
import { ActorText } from '#areas/audit-log/actor-name.tsx';
import type { NamedPerson } from '#areas/audit-log/audit-filters.tsx';
import type { AuditSearch } from '#areas/audit-log/search.ts';
import { targetText } from '#areas/audit-log/target-text.ts';
import { Button } from '#ui/button.tsx';
import { CodeBlock, Mono } from '#ui/code-block.tsx';
import type { Column } from '#ui/data-table.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Facts } from '#ui/facts.tsx';
import { PagedTable } from '#ui/paged-table.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

interface AuditTableProps {
  query: UseInfiniteQueryResult<InfiniteData<Page<AuditRecord>>>;
  people: readonly NamedPerson[];
  onFilter: (search: AuditSearch) => void;
}

const rowId = ({ id }: AuditRecord) => id;

export function AuditTable({ query, people, onFilter }: AuditTableProps) {
  const [open, setOpen] = useState<AuditRecord>();
  const names = useMemo(() => new Map(people.map(({ id, name }) => [id, name])), [people]);
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
        empty="Nothing that was done fits these filters."
      />
      <Dialog open={open !== undefined} wide onClose={() => setOpen(undefined)} title={open?.action ?? ''}>
        {open && <Details record={open} names={names} onFilter={filter} />}
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
    header: 'By',
    width: '2fr',
    cell: (row) => <ActorText actor={row.actor} name={names.get(row.actor.id ?? '')} />,
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
    header: 'When',
    width: '8rem',
    cell: (row) => <RelativeTime time={row.createdAt} />,
  },
];

interface DetailsProps {
  record: AuditRecord;
  names: Map<string, string>;
  onFilter: (search: AuditSearch) => void;
}

function Details({ record, names, onFilter }: DetailsProps) {
  const { actor, target, action } = record;
  return (
    <div className="space-y-4">
      <Facts
        facts={[
          ['When', <RelativeTime key="when" time={record.createdAt} />],
          ['By', <ActorText key="by" actor={actor} name={names.get(actor.id ?? '')} />],
          ['Actor', actor.id && <Mono copy>{actor.id}</Mono>],
          ['Target', target.type],
          ['Target id', target.id && <Mono copy>{target.id}</Mono>],
          ['Request', record.requestId && <Mono copy>{record.requestId}</Mono>],
        ]}
      />
      <CodeBlock label="What changed" code={JSON.stringify(record.details, null, 2)} />
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={() => onFilter({ action })}>
          Only this action
        </Button>
        {actor.id && (
          <Button size="sm" onClick={() => onFilter({ actorId: actor.id ?? '' })}>
            Only by this actor
          </Button>
        )}
        {target.id && (
          <Button size="sm" onClick={() => onFilter({ targetType: target.type, targetId: target.id ?? '' })}>
            Only this target
          </Button>
        )}
      </div>
    </div>
  );
}
