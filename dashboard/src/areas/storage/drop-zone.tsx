import { FolderUp, Upload } from 'lucide-react';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { chosenFiles, type Dropped, droppedFiles } from '#areas/storage/dropped.ts';
import { Button } from '#ui/button.tsx';
import { classes } from '#ui/classes.ts';
import { toast } from '#ui/toast.ts';

export function UploadButtons({ onFiles }: { onFiles: (files: readonly Dropped[]) => void }) {
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

/** Files and folders that are dropped on it are taken. */
export function DropZone({
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
