import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#ui/button.tsx';
import { CopyTextButton } from '#ui/copy-button.tsx';
import { Dialog, DialogActions } from '#ui/dialog.tsx';
import { Notice } from '#ui/error-notice.tsx';
import { save } from '#ui/save.ts';

interface SecretOnceProps {
  label: string;
  secret: string;
  /** What the file is called that it can be saved as; a plain text. */
  filename?: string;
}

/** A secret in the only moment in which it can be seen. In a dialog, use `SecretDialog`. */
export function SecretOnce({ label, secret, filename = 'secret.txt' }: SecretOnceProps) {
  return (
    <div className="space-y-3">
      <Notice tone="warning">Copy this secret now. You will not be able to see it again.</Notice>
      <div className="flex flex-wrap items-center gap-2 rounded-md border bg-sunken p-2 pl-3">
        <output
          aria-label={label}
          className="min-w-0 flex-1 basis-52 font-mono text-xs select-all wrap-anywhere"
        >
          {secret}
        </output>
        <CopyTextButton look="primary" label="Copy" text={secret} />
        <Button onClick={() => save(filename, secret)}>
          <Download aria-hidden />
          Download
        </Button>
      </div>
    </div>
  );
}

/** Closes by its one button only: neither Escape nor a click beside it may lose what is shown. */
export function SecretDialog({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <Dialog open wide sticky onClose={onClose} title={title}>
      <div className="space-y-4">{children}</div>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          I have saved the secret
        </Button>
      </DialogActions>
    </Dialog>
  );
}
