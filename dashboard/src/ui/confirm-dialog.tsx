import { AlertDialog as BaseAlertDialog } from '@base-ui/react/alert-dialog';
import { type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import type { ApiCall } from '#api/snippets.ts';
import { Button } from '#ui/button.tsx';
import { backdropClass, DialogActions, modalMark, useDrawn } from '#ui/dialog.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { ViewAsCode } from '#ui/view-as-code.tsx';

interface ConfirmDialogProps {
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

/**
 * Asks before something that cannot be undone. The focus is on Cancel, so that a stray Enter does no harm. It stays open
 * until the API has agreed, and says why when it did not.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const cancel = useRef<HTMLButtonElement>(null);
  if (!useDrawn(props.open)) return null;
  return (
    <BaseAlertDialog.Root open={props.open} onOpenChange={(isOpen) => !isOpen && props.onClose()}>
      <BaseAlertDialog.Portal>
        <BaseAlertDialog.Backdrop className={backdropClass} />
        <BaseAlertDialog.Viewport className="fixed inset-0 z-40 flex items-end justify-center overflow-y-auto p-2 sm:items-start sm:p-6 sm:pt-[16vh]">
          <BaseAlertDialog.Popup {...modalMark} initialFocus={cancel} className="popup w-full max-w-md p-5">
            <Question {...props} cancel={cancel} />
          </BaseAlertDialog.Popup>
        </BaseAlertDialog.Viewport>
      </BaseAlertDialog.Portal>
    </BaseAlertDialog.Root>
  );
}

function Question({
  onClose,
  title,
  children,
  action,
  onConfirm,
  call,
  typed,
  cancel,
}: ConfirmDialogProps & { cancel: RefObject<HTMLButtonElement | null> }) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const [text, setText] = useState('');
  const id = useId();
  const confirm = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      setProblem(error);
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
            Type <strong className="font-mono text-xs font-semibold">{typed}</strong> to confirm
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
      {problem !== undefined && <ErrorNotice className="mt-4" error={problem} />}
      <DialogActions aside={call && <ViewAsCode call={call} />}>
        <BaseAlertDialog.Close ref={cancel} render={<Button />}>
          Cancel
        </BaseAlertDialog.Close>
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
