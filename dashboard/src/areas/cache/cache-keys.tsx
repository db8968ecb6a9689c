import type { CacheKey } from '@mainstay/sdk';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useAction } from '#api/action.ts';
import { bytesText } from '#api/numbers.ts';
import { keysQuery, type OpenCache, secondsUntil } from '#areas/cache/data.ts';
import { ItemDialog } from '#areas/cache/item-dialog.tsx';
import { NewItemDialog } from '#areas/cache/new-item-dialog.tsx';
import { Button, IconButton } from '#ui/button.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import type { Column } from '#ui/data-table.tsx';
import { FilterField } from '#ui/filter-field.tsx';
import { useHotkey } from '#ui/hotkeys.ts';
import { PagedTable } from '#ui/paged-table.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { toast } from '#ui/toast.ts';

const route = getRouteApi('/signed-in/o/$slug/apps/$applicationId/cache');
const rowId = ({ key }: CacheKey) => key;

export function CacheKeys({ open }: { open: OpenCache }) {
  const cache = open;
  const { prefix, key, create } = route.useSearch();
  const navigate = route.useNavigate();
  const client = useQueryClient();
  const [isClearing, setClearing] = useState(false);
  const query = useInfiniteQuery(keysQuery(open, prefix));
  const list = prefix ? { prefix } : {};
  const close = () => void navigate({ search: list });
  const { mutate: remove } = useAction({
    run: async ({ key }: CacheKey) => {
      const item = await cache.get(key);
      await cache.delete(key);
      return item;
    },
    refresh: [['cache']],
    done: (_item, { key }) => `${key} deleted`,
    undo: async (item) => {
      if (!item) return;
      const { key, value, expiresAt } = item;
      await cache.set({ key, value, expiration: secondsUntil(expiresAt) });
    },
  });
  const columns = useMemo(() => columnsOf(remove), [remove]);
  useHotkey('c', 'Create an item', () => void navigate({ search: { ...list, create: true } }));
  const clear = async () => {
    await cache.deleteByPrefix(prefix ?? '');
    await client.invalidateQueries({ queryKey: ['cache'] });
    toast.done(`All keys starting with ${prefix} deleted`);
  };
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <FilterField
          label="Keys starting with"
          value={prefix ?? ''}
          onChange={(text) => void navigate({ search: text ? { prefix: text } : {}, replace: true })}
        />
        {prefix && (
          <Button look="ghost" onClick={() => setClearing(true)}>
            <Trash2 aria-hidden />
            Delete matching keys
          </Button>
        )}
      </div>
      <PagedTable
        label="Keys"
        query={query}
        columns={columns}
        rowId={rowId}
        onOpen={(one) => void navigate({ search: { ...list, key: one.key } })}
        empty={prefix ? `No keys start with “${prefix}”.` : 'This cache is empty.'}
      />
      {key !== undefined && <ItemDialog key={key} open={open} itemKey={key} onClose={close} />}
      {create && <NewItemDialog open={open} prefix={prefix ?? ''} onClose={close} />}
      <ConfirmDialog
        open={isClearing}
        onClose={() => setClearing(false)}
        title={`Delete all keys starting with ${prefix}?`}
        action="Delete keys"
        typed={prefix ?? ''}
        onConfirm={clear}
        call={{ method: 'DELETE', path: `${open.path}?prefix=${encodeURIComponent(prefix ?? '')}` }}
      >
        The application can no longer read these items. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}

const columnsOf = (remove: (key: CacheKey) => void): Column<CacheKey>[] => [
  {
    id: 'key',
    value: (row) => row.key,
    header: 'Key',
    width: '4fr',
    cell: (row) => <span className="font-mono text-xs font-medium">{row.key}</span>,
  },
  {
    id: 'byteSize',
    value: (row) => row.byteSize,
    header: 'Size',
    width: '6rem',
    align: 'end',
    cell: (row) => <span className="tabular-nums">{bytesText(row.byteSize)}</span>,
  },
  {
    id: 'expiresAt',
    value: (row) => row.expiresAt,
    header: 'Expires',
    width: '9rem',
    wide: true,
    cell: (row) => <RelativeTime time={row.expiresAt} />,
  },
  {
    id: 'remove',
    header: 'Actions',
    fixed: true,
    width: '3.5rem',
    align: 'end',
    cell: (row) => (
      <IconButton
        size="sm"
        label={`Delete ${row.key}`}
        icon={<Trash2 aria-hidden />}
        onClick={() => remove(row)}
      />
    ),
  },
];
