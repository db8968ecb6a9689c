import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { File as FileIcon, Folder, FolderUp, Trash2, Upload } from 'lucide-react';
import { type DragEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useAction } from '#api/action.ts';
import { api } from '#api/client.ts';
import { Refused } from '#api/errors.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { BucketHeader, usePlace } from '#areas/storage/bucket-header.tsx';
import {
  contentKeys,
  type Entry,
  entriesQuery,
  type Place,
  sizeText,
  storagePath,
} from '#areas/storage/data.ts';
import { chosenFiles, type Dropped, droppedFiles } from '#areas/storage/dropped.ts';
import { ObjectDialog } from '#areas/storage/object-dialog.tsx';
import { progressText, useSteps } from '#areas/storage/steps.ts';
import { UploadPanel } from '#areas/storage/upload-panel.tsx';
import { addUploads, onUploaded } from '#areas/storage/upload-queue.ts';
import { changed } from '#shell/search.ts';
import { Button } from '#ui/button.tsx';
import { classes } from '#ui/classes.ts';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import type { Column } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { FilterField } from '#ui/filter-field.tsx';
import { PagedTable } from '#ui/paged-table.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { toast } from '#ui/toast.ts';

const route = getRouteApi('/signed-in/o/$slug/apps/$applicationId/storage/$bucket');
const rowId = ({ id }: Entry) => id;

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

function columnsOf(): Column<Entry>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      value: (row) => row.name,
      fixed: true,
      width: '4fr',
      cell: (row) => (
        <span className="flex min-w-0 items-center gap-2">
          {row.kind === 'folder' ? (
            <Folder aria-hidden className="size-4 shrink-0 text-accent-text" />
          ) : (
            <FileIcon aria-hidden className="size-4 shrink-0 text-faint" />
          )}
          <span className="truncate font-medium">{row.name}</span>
        </span>
      ),
    },
    {
      id: 'size',
      header: 'Size',
      width: '7rem',
      align: 'end',
      cell: (row) => (row.kind === 'object' ? sizeText(row.object.contentLength) : ''),
    },
    {
      id: 'type',
      header: 'Type',
      width: '2fr',
      wide: true,
      cell: (row) => (
        <span className="truncate">{row.kind === 'object' ? row.object.contentType : 'Folder'}</span>
      ),
    },
    {
      id: 'uploadedAt',
      header: 'Uploaded',
      width: '8rem',
      wide: true,
      cell: (row) => (row.kind === 'object' ? <RelativeTime time={row.object.uploadedAt} /> : null),
    },
  ];
}

/** The way from the top of the bucket to the folder. */
function Folders({ folder, onOpen }: { folder: string; onOpen: (prefix: string) => void }) {
  if (folder === '') return null;
  const parts = folder.split('/').slice(0, -1);
  return (
    <nav aria-label="Folders" className="flex min-w-0 flex-wrap items-center gap-1 text-muted">
      <Button size="sm" look="ghost" onClick={() => onOpen('')}>
        All files
      </Button>
      {parts.map((part, at) => {
        const prefix = `${parts.slice(0, at + 1).join('/')}/`;
        return (
          <span key={prefix} className="flex items-center gap-1">
            <span aria-hidden>/</span>
            <Button size="sm" look="ghost" onClick={() => onOpen(prefix)}>
              {part === '' ? '(empty)' : part}
            </Button>
          </span>
        );
      })}
    </nav>
  );
}

function UploadButtons({ onFiles }: { onFiles: (files: readonly Dropped[]) => void }) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const take = (input: HTMLInputElement) => {
    onFiles(chosenFiles(input.files));
    // So that the same file can be chosen again.
    input.value = '';
  };
  return (
    <>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label="Files to upload"
        onChange={(event) => take(event.target)}
      />
      <input
        ref={folder}
        type="file"
        hidden
        aria-label="Folder to upload"
        {...{ webkitdirectory: '' }}
        onChange={(event) => take(event.target)}
      />
      <Button onClick={() => folder.current?.click()}>
        <FolderUp aria-hidden />
        Upload folder
      </Button>
      <Button look="primary" onClick={() => files.current?.click()}>
        <Upload aria-hidden />
        Upload files
      </Button>
    </>
  );
}

function DropZone({
  enabled,
  onFiles,
  children,
}: {
  enabled: boolean;
  onFiles: (files: readonly Dropped[]) => void;
  children: ReactNode;
}) {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    droppedFiles(event.dataTransfer).then(onFiles, () => toast.problem('These files could not be read.'));
  };
  if (!enabled) return <>{children}</>;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons do the same for the keyboard.
    <div
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={drop}
      className={classes(
        'min-h-96 rounded-lg',
        isOver && 'bg-accent-soft outline-2 outline-accent outline-dashed',
      )}
    >
      {children}
    </div>
  );
}
