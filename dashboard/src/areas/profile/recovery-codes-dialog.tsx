import { Button } from '#ui/button.tsx';
import { CopyTextButton } from '#ui/copy-button.tsx';
import { Dialog, DialogActions } from '#ui/dialog.tsx';
import { Notice } from '#ui/error-notice.tsx';

/** Each lets its person in once when the phone is gone. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const text = codes.join('\n');
  const download = () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }));
    link.download = `recovery-codes-${location.hostname}.txt`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <Dialog open sticky onClose={onClose} title="Save your recovery codes">
      <Notice tone="warning">
        If you lose your phone, each code lets you sign in once. They are not shown again: save them in your
        password manager.
      </Notice>
      <ul
        aria-label="Recovery codes"
        className="mt-4 grid grid-cols-2 gap-x-4 gap-y-1.5 rounded-md border bg-sunken p-3 font-mono text-xs"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <DialogActions
        aside={
          <span className="flex gap-2">
            <CopyTextButton label="Copy" text={text} />
            <Button onClick={download}>Download</Button>
          </span>
        }
      >
        <Button look="primary" onClick={onClose}>
          I have saved the codes
        </Button>
      </DialogActions>
    </Dialog>
  );
}
