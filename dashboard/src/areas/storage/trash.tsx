import type { TrashedStorageObject } from '@mainstay/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { RotateCcw, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useAction } from '#api/action.ts';
import { api } from '#api/client.ts';
import { bytesText } from '#api/numbers.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { BucketHeader, usePlace } from '#areas/storage/bucket-header.tsx';
import { contentKeys, storagePath, trashQuery } from '#areas/storage/data.ts';
import { progressText, useSteps } from '#areas/storage/steps.ts';
import { changed } from '#shell/search.ts';
import { Button } from '#ui/button.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import type { Column } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { FilterField } from '#ui/filter-field.tsx';
import { PagedTable } from '#ui/paged-table.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

const route = getRouteApi('/signed-in/o/$slug/apps/$applicationId/storage/$bucket/trash');
const rowId = ({ id }: TrashedStorageObject) => id;

export function Trash() {
  const place = usePlace();
  const { applicationId, bucket, environment } = place;
  const { prefix = '' } = route.useSearch();
  const navigate = useNavigate();
  const can = useCan();
  const mayRestore = can('restoreStorageObject');
  const mayPurge = can('purgeStorageObject');
  const [isEmptying, setEmptying] = useState(false);
  const query = useInfiniteQuery(trashQuery(place, prefix));
  const steps = useSteps();
  const [purging, setPurging] = useState<{ rows: TrashedStorageObject[]; clear: () => void }>();
  const restore = useAction({
    run: (rows: TrashedStorageObject[]) =>
      steps.run(rows, ({ id }) => api.storage.restoreObject(applicationId, bucket, id, { environment })),
    refresh: contentKeys(place),
    done: 'Restored',
  });
  const purge = useAction({
    run: (rows: TrashedStorageObject[]) =>
      steps.run(rows, ({ id }) => api.storage.purgeObject(applicationId, bucket, id, { environment })),
    refresh: contentKeys(place),
    done: 'Permanently deleted',
    quiet: true,
  });
  const empty = useAction({
    run: () => api.storage.emptyTrash(applicationId, bucket, { environment }),
    refresh: contentKeys(place),
    done: ({ purgedCount }) => `${purgedCount.toLocaleString('en')} objects permanently deleted`,
    quiet: true,
  });
  const columns = useMemo(() => columnsOf(), []);
  const path = `${storagePath(applicationId)}/${bucket}/trash?environment=${environment}`;
  const isEmpty = query.data?.pages[0]?.items.length === 0 && prefix === '';
  return (
    <>
      <BucketHeader
        call={{ method: 'GET', path }}
        {...(can('emptyStorageTrash') && !isEmpty
          ? {
              actions: (
                <Button onClick={() => setEmptying(true)}>
                  <Trash2 aria-hidden />
                  Empty trash
                </Button>
              ),
            }
          : {})}
      />
      {isEmpty ? (
        <EmptyState icon={<Trash2 />} title="The trash is empty">
          Deleted files can be restored from here until they are permanently removed.
        </EmptyState>
      ) : (
        <>
          <div className="mb-3">
            <FilterField
              label="Search by prefix"
              value={prefix}
              onChange={(text) =>
                void navigate({
                  to: '.',
                  search: ((old: object) =>
                    changed(old, { prefix: text === '' ? undefined : text } as never)) as never,
                  replace: true,
                })
              }
            />
          </div>
          <PagedTable
            label="Trash"
            query={query}
            columns={columns}
            rowId={rowId}
            empty="No deleted objects have this prefix."
            {...(mayRestore || mayPurge
              ? {
                  selection: (marked: TrashedStorageObject[], clear: () => void) => (
                    <>
                      {mayRestore && (
                        <Button
                          size="sm"
                          busy={restore.isPending}
                          onClick={() => restore.mutate(marked, { onSuccess: clear })}
                        >
                          <RotateCcw aria-hidden />
                          {restore.isPending && steps.progress
                            ? progressText('Restoring', steps.progress)
                            : 'Restore'}
                        </Button>
                      )}
                      {mayPurge && (
                        <Button size="sm" onClick={() => setPurging({ rows: marked, clear })}>
                          <Trash2 aria-hidden />
                          Delete permanently
                        </Button>
                      )}
                    </>
                  ),
                }
              : {})}
          />
        </>
      )}
      {purging && (
        <ConfirmDialog
          open
          onClose={() => setPurging(undefined)}
          title="Delete permanently"
          action="Delete permanently"
          onConfirm={async () => {
            await purge.mutateAsync(purging.rows);
            purging.clear();
          }}
        >
          {purging.rows.length === 1
            ? purging.rows[0]?.key
            : `${purging.rows.length.toLocaleString('en')} objects`}{' '}
          cannot be restored afterwards.
          {steps.progress && <p role="status">{progressText('Deleting', steps.progress)}</p>}
        </ConfirmDialog>
      )}
      <ConfirmDialog
        open={isEmptying}
        onClose={() => setEmptying(false)}
        title="Empty trash"
        action="Empty trash"
        onConfirm={() => empty.mutateAsync()}
        call={{ method: 'DELETE', path }}
      >
        Everything in the trash of {bucket} is permanently deleted.
      </ConfirmDialog>
    </>
  );
}

function columnsOf(): Column<TrashedStorageObject>[] {
  return [
    { id: 'key', header: 'Key', value: (row) => row.key, fixed: true, width: '4fr' },
    {
      id: 'size',
      header: 'Size',
      width: '7rem',
      align: 'end',
      cell: (row) => bytesText(row.contentLength),
    },
    {
      id: 'deletedAt',
      header: 'Deleted',
      width: '8rem',
      cell: (row) => <RelativeTime time={row.deletedAt} />,
    },
  ];
}
