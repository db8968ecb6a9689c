import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Trash2, Upload } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useAction } from '#api/action.ts';
import { api } from '#api/client.ts';
import { Refused } from '#api/errors.ts';
import { counted } from '#api/numbers.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { BucketHeader, usePlace } from '#areas/storage/bucket-header.tsx';
import { contentKeys, type Entry, entriesQuery, type Place, storagePath } from '#areas/storage/data.ts';
import { DropZone, UploadButtons } from '#areas/storage/drop-zone.tsx';
import type { Dropped } from '#areas/storage/dropped.ts';
import { columnsOf, Folders } from '#areas/storage/folders.tsx';
import { ObjectDialog } from '#areas/storage/object-dialog.tsx';
import { progressText, useSteps } from '#areas/storage/steps.ts';
import { UploadPanel } from '#areas/storage/upload-panel.tsx';
import { addUploads, onUploaded } from '#areas/storage/upload-queue.ts';
import { changed } from '#shell/search.ts';
import { Button } from '#ui/button.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { FilterField } from '#ui/filter-field.tsx';
import { PagedTable } from '#ui/paged-table.tsx';
import { toast } from '#ui/toast.ts';

const route = getRouteApi('/signed-in/o/$slug/apps/$applicationId/storage/$bucket');
const rowId = ({ id }: Entry) => id;

/** The API counts every object under the prefix, those of folders too: the rows are fewer. */
function summaryOf(entries: readonly Entry[]): string {
  const folders = entries.filter(({ kind }) => kind === 'folder').length;
  const parts = [
    folders > 0 && counted(folders, 'folder'),
    folders < entries.length && counted(entries.length - folders, 'file'),
  ];
  return parts.filter(Boolean).join(', ');
}

export function Files() {
  const place = usePlace();
  const { prefix = '', object } = route.useSearch();
  const navigate = useNavigate();
  const client = useQueryClient();
  const can = useCan();
  const mayUpload = can('createStorageUpload');
  const query = useInfiniteQuery(entriesQuery(place, prefix));
  const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  const set = (change: { prefix?: string | undefined; object?: string | undefined }, replace = false) =>
    void navigate({ search: ((old: object) => changed(old, change)) as never, to: '.', replace });

  // Hundreds may arrive in a moment: the list is read again once.
  const [content] = contentKeys(place);
  const refreshKey = JSON.stringify(content);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onUploaded(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void client.invalidateQueries({ queryKey: JSON.parse(refreshKey) as string[] });
      }, 500);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [client, refreshKey]);

  const upload = (files: readonly Dropped[]) =>
    addUploads(
      place,
      files.map(({ path, file }) => ({ key: folder + path, file })),
    );
  const steps = useSteps();
  const [folders, setFolders] = useState<{ marked: Entry[]; clear: () => void }>();
  const remove = useAction({
    run: (marked: Entry[]) => steps.run(marked, (entry, add) => deleteEntry(place, entry, add)),
    refresh: contentKeys(place),
    done: 'Moved to the trash',
    quiet: true,
  });
  const columns = useMemo(() => columnsOf(), []);
  const path = `${storagePath(place.applicationId)}/${place.bucket}/objects?environment=${place.environment}&prefix=${encodeURIComponent(prefix)}`;
  const isEmpty = query.data?.pages[0]?.items.length === 0 && prefix === '';
  return (
    <DropZone enabled={mayUpload} onFiles={upload}>
      <BucketHeader
        call={{ method: 'GET', path }}
        {...(mayUpload ? { actions: <UploadButtons onFiles={upload} /> } : {})}
      />
      <UploadPanel />
      {isEmpty ? (
        <EmptyState
          icon={<Upload />}
          title="No files yet"
          call={{
            method: 'PUT',
            path: `${storagePath(place.applicationId)}/${place.bucket}/objects?environment=${place.environment}&key=hello.txt`,
          }}
        >
          {mayUpload
            ? 'Drop files or folders here. Large files are uploaded in parts and resume after a lost connection.'
            : 'This bucket is empty.'}
        </EmptyState>
      ) : (
        <>
          <div className="mb-3 flex flex-wrap items-center gap-3">
            <FilterField
              label="Search by prefix"
              value={prefix}
              onChange={(text) => set({ prefix: text === '' ? undefined : text }, true)}
            />
            <Folders folder={folder} onOpen={(to) => set({ prefix: to === '' ? undefined : to })} />
          </div>
          <PagedTable
            label="Files"
            query={query}
            columns={columns}
            rowId={rowId}
            summary={summaryOf}
            remember="files"
            onOpen={(entry) => set(entry.kind === 'folder' ? { prefix: entry.prefix } : { object: entry.id })}
            empty="No objects have this prefix."
            {...(can('deleteStorageObject')
              ? {
                  selection: (marked: Entry[], clear: () => void) => (
                    <Button
                      size="sm"
                      busy={remove.isPending}
                      onClick={() =>
                        marked.some(({ kind }) => kind === 'folder')
                          ? setFolders({ marked, clear })
                          : remove.mutate(marked, {
                              onSuccess: clear,
                              onError: (error) => toast.failed(error),
                            })
                      }
                    >
                      <Trash2 aria-hidden />
                      {steps.progress ? progressText('Deleting', steps.progress) : 'Delete'}
                    </Button>
                  ),
                }
              : {})}
          />
        </>
      )}
      {folders && (
        <ConfirmDialog
          open
          onClose={() => setFolders(undefined)}
          title="Delete folders"
          action="Delete"
          onConfirm={async () => {
            await remove.mutateAsync(folders.marked);
            folders.clear();
          }}
        >
          {namesOf(folders.marked)} with everything below move to the trash.
          {steps.progress && <p role="status">{progressText('Deleting', steps.progress)}</p>}
        </ConfirmDialog>
      )}
      {object && (
        <ObjectDialog
          objectId={object}
          onClose={() => set({ object: undefined }, true)}
          onOpen={(id) => set({ object: id }, true)}
        />
      )}
    </DropZone>
  );
}

/** Of a folder a thousand objects at a time, so that one sees how far it is. */
async function deleteEntry(place: Place, entry: Entry, add: (count: number) => void): Promise<void> {
  const { applicationId, bucket, environment } = place;
  if (entry.kind === 'object') {
    await api.storage.deleteObject(applicationId, bucket, entry.id, { environment });
    return;
  }
  let kept = 0;
  for (let cursor: string | undefined; ; ) {
    const query = { environment, prefix: entry.prefix, ...(cursor ? { cursor } : {}) };
    const answer = await api.storage.deleteByPrefix(applicationId, bucket, query);
    add(answer.deletedCount);
    kept += answer.keptCount;
    cursor = answer.nextCursor;
    if (cursor === undefined) break;
  }
  if (kept > 0)
    throw new Refused(`${kept.toLocaleString('en')} objects of ${entry.name} are locked and stay.`);
}

function namesOf(marked: readonly Entry[]): string {
  const names = marked.slice(0, 3).map(({ name }) => name);
  const more = marked.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more.toLocaleString('en')} more` : names.join(', ');
}
