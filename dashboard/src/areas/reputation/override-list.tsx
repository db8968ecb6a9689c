import type { ReputationOverride } from '@mainstay/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Ban, PenLine, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useAction } from '#api/action.ts';
import { byPage } from '#api/pages.ts';
import type { OverrideSet } from '#areas/reputation/data.ts';
import { OverrideDialog } from '#areas/reputation/override-dialog.tsx';
import { StatusBadge } from '#areas/reputation/status-badge.tsx';
import type { CreateSearch, FilterSearch } from '#shell/search.ts';
import { matches } from '#shell/search.ts';
import { Badge } from '#ui/badge.tsx';
import { IconButton } from '#ui/button.tsx';
import type { Column } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { FilterField } from '#ui/filter-field.tsx';
import { useHotkey } from '#ui/hotkeys.ts';
import { PagedTable } from '#ui/paged-table.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

type Search = FilterSearch & CreateSearch;

interface OverrideListProps {
  set: OverrideSet;
  canChange: boolean;
  search: Search;
  onSearch: (search: Search, replace: boolean) => void;
}

const rowId = ({ id }: ReputationOverride) => id;

export function OverrideList({ set, canChange, search, onSearch }: OverrideListProps) {
  const { filter, create } = search;
  const [edited, setEdited] = useState<ReputationOverride>();
  const query = useInfiniteQuery({
    queryKey: set.queryKey,
    ...byPage(set.list),
    select: (data) => ({
      ...data,
      pages: data.pages.map((page) => ({
        ...page,
        items: page.items.filter(({ domain, note, status }) => matches(filter, domain, note, status)),
      })),
    }),
  });
  const { mutate: remove } = useAction({
    run: ({ id }: ReputationOverride) => set.delete(id),
    refresh: [['reputation']],
    done: (_result, { domain }) => `Override for ${domain} deleted`,
    undo: (_result, { domain, action, status, note }) => set.create({ domain, action, status, note }),
  });
  const columns = useMemo(() => columnsOf(canChange, setEdited, remove), [canChange, remove]);
  const close = () => {
    setEdited(undefined);
    onSearch(filter ? { filter } : {}, true);
  };
  useHotkey('c', 'Create an override', () => onSearch({ ...search, create: true }, false));
  const isEmpty = query.data?.pages[0]?.total === 0;
  return (
    <>
      {isEmpty ? (
        <EmptyState
          icon={<Ban />}
          title="No overrides"
          call={{
            method: 'POST',
            path: set.path,
            body: { domain: 'example.com', action: 'block', note: 'Reported by a customer' },
          }}
        >
          An override takes precedence over all threat feeds. It blocks or allows a domain and its subdomains.
        </EmptyState>
      ) : (
        <>
          <div className="mb-3">
            <FilterField
              label="Filter overrides"
              value={filter ?? ''}
              onChange={(text) => onSearch(text ? { filter: text } : {}, true)}
            />
          </div>
          <PagedTable
            label="Overrides"
            query={query}
            columns={columns}
            rowId={rowId}
            {...(canChange ? { onOpen: setEdited } : {})}
            empty={`No overrides match “${filter}”.`}
          />
        </>
      )}
      {create && canChange && <OverrideDialog set={set} onClose={close} />}
      {edited && <OverrideDialog set={set} override={edited} onClose={close} />}
    </>
  );
}

function columnsOf(
  canChange: boolean,
  edit: (override: ReputationOverride) => void,
  remove: (override: ReputationOverride) => void,
): Column<ReputationOverride>[] {
  return [
    {
      id: 'domain',
      value: (row) => row.domain,
      header: 'Domain',
      sortable: true,
      width: '2fr',
      cell: (row) => <span className="font-medium">{row.domain}</span>,
    },
    {
      id: 'action',
      value: (row) => row.action,
      header: 'Action',
      width: '6rem',
      cell: (row) =>
        row.action === 'block' ? <Badge tone="danger">Blocks</Badge> : <Badge tone="success">Allows</Badge>,
    },
    {
      id: 'status',
      value: (row) => row.status,
      header: 'Status',
      width: '9.5rem',
      wide: true,
      cell: (row) => <StatusBadge status={row.status} />,
    },
    {
      id: 'note',
      value: (row) => row.note,
      header: 'Note',
      wide: true,
      width: '2fr',
      cell: (row) => <span className="text-muted">{row.note}</span>,
    },
    {
      id: 'updatedAt',
      value: (row) => row.updatedAt,
      header: 'Changed',
      sortable: true,
      width: '8rem',
      wide: true,
      cell: (row) => <RelativeTime time={row.updatedAt} />,
    },
    {
      id: 'actions',
      header: 'Actions',
      fixed: true,
      width: '5.5rem',
      align: 'end',
      cell: (row) =>
        canChange && (
          <span className="flex">
            <IconButton
              size="sm"
              label={`Edit ${row.domain}`}
              icon={<PenLine aria-hidden />}
              onClick={() => edit(row)}
            />
            <IconButton
              size="sm"
              label={`Delete ${row.domain}`}
              icon={<Trash2 aria-hidden />}
              onClick={() => remove(row)}
            />
          </span>
        ),
    },
  ];
}
