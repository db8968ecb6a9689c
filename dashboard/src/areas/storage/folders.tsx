import { File as FileIcon, Folder } from 'lucide-react';
import { bytesText } from '#api/numbers.ts';
import type { Entry } from '#areas/storage/data.ts';
import { Button } from '#ui/button.tsx';
import type { Column } from '#ui/data-table.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

/** Folders and objects in a table. */
export function columnsOf(): Column<Entry>[] {
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
      cell: (row) => (row.kind === 'object' ? bytesText(row.object.contentLength) : ''),
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
export function Folders({ folder, onOpen }: { folder: string; onOpen: (prefix: string) => void }) {
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
