import { Pause, Play, X } from 'lucide-react';
import { useRef } from 'react';
import { bytesText } from '#api/numbers.ts';
import {
  dismissCompleted,
  dismissUpload,
  giveFiles,
  pauseAll,
  pauseUpload,
  resumeAll,
  resumeUpload,
  type Upload,
  useUploads,
} from '#areas/storage/upload-queue.ts';
import { Button, IconButton } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { toast } from '#ui/toast.ts';

const shownAtMost = 50;
const words: Record<Upload['state'], string> = {
  waiting: 'Waiting',
  hashing: 'Reading',
  uploading: 'Uploading',
  paused: 'Paused',
  completed: 'Uploaded',
  failed: 'Failed',
};

/** What is on its way, with those that need somebody first. */
export function UploadPanel() {
  const uploads = useUploads();
  if (uploads.length === 0) return null;
  const done = uploads.filter(({ state }) => state === 'completed').length;
  const open = uploads.filter(({ state }) => state !== 'completed');
  const isMoving = open.some(({ state }) => state !== 'paused' && state !== 'failed');
  const isStopped = open.some(({ file, state }) => file && (state === 'paused' || state === 'failed'));
  const asked = open.filter(({ file }) => !file).length;
  return (
    <Card
      className="mb-4"
      title="Uploads"
      description={
        <span role="status">
          {done.toLocaleString('en')} of {uploads.length.toLocaleString('en')} files uploaded
        </span>
      }
      actions={
        <>
          {isMoving && (
            <Button size="sm" onClick={pauseAll}>
              Pause all
            </Button>
          )}
          {isStopped && (
            <Button size="sm" onClick={resumeAll}>
              Resume all
            </Button>
          )}
          {done > 0 && (
            <Button size="sm" onClick={dismissCompleted}>
              Clear uploaded
            </Button>
          )}
        </>
      }
    >
      {asked > 0 && <ChooseAgain count={asked} />}
      {open.length > 0 && (
        <ul className="space-y-2">
          {open.slice(0, shownAtMost).map((upload) => (
            <Line key={upload.id} upload={upload} />
          ))}
          {open.length > shownAtMost && (
            <li className="text-muted">and {(open.length - shownAtMost).toLocaleString('en')} more</li>
          )}
        </ul>
      )}
    </Card>
  );
}

/** A browser lets go of large files when the page is loaded again. */
function ChooseAgain({ count }: { count: number }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="mb-3 flex flex-wrap items-center gap-3">
      <p className="min-w-0 flex-1 text-muted">
        {count === 1 ? 'One file has' : `${count.toLocaleString('en')} files have`} to be chosen again because
        the page was reloaded. Uploaded parts are kept.
      </p>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to resume"
        onChange={({ target }) => {
          const unknown = giveFiles([...(target.files ?? [])]);
          target.value = '';
          if (unknown > 0)
            toast.problem(
              `${unknown.toLocaleString('en')} of these files do not match the interrupted uploads.`,
            );
        }}
      />
      <Button size="sm" onClick={() => input.current?.click()}>
        Choose files again
      </Button>
    </div>
  );
}

function Line({ upload }: { upload: Upload }) {
  const { id, key, file, size, state, bytes, problem } = upload;
  const isMoving = state === 'hashing' || state === 'uploading' || state === 'waiting';
  return (
    <li className="flex items-center gap-3">
      <div className="min-w-0 flex-1">
        <div className="flex justify-between gap-3">
          <span className="truncate">{key}</span>
          <span className="shrink-0 text-muted tabular-nums">
            {words[state]} · {bytesText(bytes)} of {bytesText(size)}
          </span>
        </div>
        <progress
          aria-label={`Upload of ${key}`}
          className="h-1 w-full"
          max={Math.max(size, 1)}
          value={bytes}
        />
        {problem && <p className="text-danger">{problem}</p>}
      </div>
      {isMoving ? (
        <IconButton
          size="sm"
          label={`Pause ${key}`}
          icon={<Pause aria-hidden />}
          onClick={() => pauseUpload(id)}
        />
      ) : !file ? null : (
        <IconButton
          size="sm"
          label={`Resume ${key}`}
          icon={<Play aria-hidden />}
          onClick={() => resumeUpload(id)}
        />
      )}
      <IconButton
        size="sm"
        label={`Remove ${key}`}
        icon={<X aria-hidden />}
        onClick={() => dismissUpload(id)}
      />
    </li>
  );
}
