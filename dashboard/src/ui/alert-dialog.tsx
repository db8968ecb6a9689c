import { AlertDialog as BaseAlertDialog } from '@base-ui/react/alert-dialog';
import { type ReactNode, useId, useState } from 'react';
import type { ApiCall } from '#api/curl.ts';
import { sentenceOf } from '#api/errors.ts';
import { Button } from '#ui/button.tsx';
import { CopyAsCurl } from '#ui/copy-as-curl.tsx';
import { backdropClass, DialogActions, useDrawn } from '#ui/dialog.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';

interface AlertDialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** What will be different afterwards, and for whom. */
  children: ReactNode;
  /** The verb: "Revoke key". */
  action: string;
  onConfirm: () => Promise<unknown>;
  call?: ApiCall;
  /** Has to be typed first, for what cannot be brought back. */
  typed?: string;
}

/** Asks before something that hurts. It stays open until the API has agreed, and says why when it did not. */
export function AlertDialog(props: AlertDialogProps) {
  if (!useDrawn(props.open)) return null;
  return (
    <BaseAlertDialog.Root open={props.open} onOpenChange={(isOpen) => !isOpen && props.onClose()}>
      <BaseAlertDialog.Portal>
        <BaseAlertDialog.Backdrop className={backdropClass} />
        <BaseAlertDialog.Viewport className="fixed inset-0 z-40 flex items-end justify-center overflow-y-auto p-2 sm:items-start sm:p-6 sm:pt-[16vh]">
          <BaseAlertDialog.Popup className="popup w-full max-w-md p-5">
            <Question {...props} />
          </BaseAlertDialog.Popup>
        </BaseAlertDialog.Viewport>
      </BaseAlertDialog.Portal>
    </BaseAlertDialog.Root>
  );
}

function Question({ onClose, title, children, action, onConfirm, call, typed }: AlertDialogProps) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [text, setText] = useState('');
  const id = useId();
  const confirm = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      setProblem(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void confirm();
      }}
    >
      <BaseAlertDialog.Title className="text-lg font-semibold tracking-tight">{title}</BaseAlertDialog.Title>
      <BaseAlertDialog.Description className="mt-2 text-muted" render={<div />}>
        {children}
      </BaseAlertDialog.Description>
      {typed !== undefined && (
        <label htmlFor={id} className="mt-4 block">
          <span className="mb-1.5 block">
            Type <strong className="font-mono text-xs font-semibold">{typed}</strong> to go on
          </span>
          <input
            id={id}
            className="field-box"
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
      )}
      {problem && <ErrorNotice className="mt-4" sentence={problem} />}
      <DialogActions aside={call && <CopyAsCurl call={call} />}>
        <BaseAlertDialog.Close render={<Button />}>Cancel</BaseAlertDialog.Close>
        <Button
          type="submit"
          look="danger"
          busy={isBusy}
          disabled={isBusy || (typed !== undefined && text !== typed)}
        >
          {action}
        </Button>
      </DialogActions>
    </form>
  );
}
