import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FolderUp, Upload } from 'lucide-react';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { useApplication, useEnvironment } from '#areas/applications/data.ts';
import { archiveOf } from '#areas/deployments/archive.ts';
import { deployArchive } from '#areas/deployments/data.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { chosenFiles, type Dropped, droppedFiles } from '#areas/storage/dropped.ts';
import { Button } from '#ui/button.tsx';
import { classes } from '#ui/classes.ts';
import { toast } from '#ui/toast.ts';

/** Sends files of this machine to the environment that the selector shows, and opens the deployment. */
export function useDeploy() {
  const { slug } = useOrganization();
  const { id: applicationId } = useApplication();
  const environment = useEnvironment();
  const navigate = useNavigate();
  const queries = useQueryClient();
  /** What is continuing, for the button; null: nothing. */
  const [doing, setDoing] = useState<string | null>(null);
  const deploy = async (files: Promise<Dropped[]> | Dropped[]) => {
    setDoing('Packing');
    try {
      const archive = await archiveOf(await files);
      const onShare = (share: number) => setDoing(`Uploading ${Math.round(share * 100)}%`);
      onShare(0);
      const { id } = await deployArchive(applicationId, environment?.slug, archive, onShare);
      await queries.invalidateQueries({ queryKey: ['deployments', applicationId] });
      toast.done('Deployment queued');
      await navigate({
        to: '/o/$slug/apps/$applicationId/deployments/$deploymentId',
        params: { slug, applicationId, deploymentId: id },
      });
    } catch (error) {
      toast.failed(error);
    } finally {
      setDoing(null);
    }
  };
  return { deploy, doing };
}

/** Two ways to choose: a folder, or an archive that is there already. */
export function DeployButtons({ deploy, doing }: ReturnType<typeof useDeploy>) {
  return (
    <>
      <Chooser folder busy={doing !== null} onFiles={deploy}>
        <FolderUp aria-hidden />
        {doing ?? 'Deploy folder'}
      </Chooser>
      <Chooser busy={doing !== null} onFiles={deploy}>
        <Upload aria-hidden />
        Deploy archive
      </Chooser>
    </>
  );
}

function Chooser({
  folder = false,
  busy,
  onFiles,
  children,
}: {
  folder?: boolean;
  busy: boolean;
  onFiles: (files: Dropped[]) => void;
  children: ReactNode;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        {...(folder ? { webkitdirectory: '' } : { accept: '.zip,application/zip' })}
        aria-label={folder ? 'Folder to deploy' : 'Archive to deploy'}
        className="sr-only"
        tabIndex={-1}
        onChange={({ target }) => {
          const files = chosenFiles(target.files);
          target.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
      <Button look={folder ? 'primary' : 'secondary'} busy={busy} onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  );
}

/** Takes a folder or an archive that is dropped anywhere on it. */
export function DropArea({
  onFiles,
  children,
}: {
  onFiles: (files: Promise<Dropped[]>) => void;
  children: ReactNode;
}) {
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(true);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons do the same for those who cannot drag.
    <div
      data-drop
      className={classes('rounded-lg', isOver && 'outline-2 outline-offset-4 outline-accent outline-dashed')}
      onDragEnter={over}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        // What was dropped can be asked for its files only now.
        onFiles(droppedFiles(event.dataTransfer));
      }}
    >
      {children}
    </div>
  );
}
