import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { classes } from '#ui/classes.ts';

export const backdropClass =
  'fixed inset-0 z-40 bg-backdrop transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0';

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  wide?: boolean;
  /** Neither Escape nor a click beside it closes it, only a button inside: what it shows cannot be had again. */
  sticky?: boolean;
  children: ReactNode;
}

/** Whether there is something to draw: a dialog of a row in a list is nothing until it is opened, and then it stays. */
export function useDrawn(open: boolean): boolean {
  const [isDrawn, setDrawn] = useState(open);
  if (open && !isDrawn) setDrawn(true);
  return isDrawn || open;
}

/** On the root of whatever covers the page: the page's own keys rest meanwhile (`hotkeys.ts`). */
export const modalMark = { 'data-modal': '' };

/** A task beside the page. It closes by Escape, and gives the focus back to what opened it. */
export function Dialog({ open, onClose, title, description, wide, sticky = false, children }: DialogProps) {
  if (!useDrawn(open)) return null;
  return (
    <BaseDialog.Root
      open={open}
      onOpenChange={(isOpen, { reason }) => {
        if (!isOpen && !(sticky && reason === 'escape-key')) onClose();
      }}
      disablePointerDismissal={sticky}
    >
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={backdropClass} />
        <BaseDialog.Viewport className="fixed inset-0 z-40 flex items-end justify-center overflow-y-auto p-2 sm:items-start sm:p-6 sm:pt-[10vh]">
          <BaseDialog.Popup
            {...modalMark}
            {...(sticky ? { 'data-modal': 'sticky' } : {})}
            className={classes('popup relative w-full p-5', wide ? 'max-w-2xl' : 'max-w-md')}
          >
            <div className="mb-4 flex items-start justify-between gap-3">
              <div className="min-w-0">
                <BaseDialog.Title className="text-lg font-semibold tracking-tight">{title}</BaseDialog.Title>
                {description && (
                  <BaseDialog.Description className="mt-1 text-muted" render={<div />}>
                    {description}
                  </BaseDialog.Description>
                )}
              </div>
              {!sticky && (
                <BaseDialog.Close
                  aria-label="Close"
                  render={<Button look="ghost" className="-mt-1 -mr-2 w-8 px-0! pointer-coarse:w-11" />}
                >
                  <X aria-hidden />
                </BaseDialog.Close>
              )}
            </div>
            {children}
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

/** The last line of a dialog: at the left what explains, at the right what acts. */
export function DialogActions({ aside, children }: { aside?: ReactNode; children: ReactNode }) {
  return (
    <div className="mt-6 flex flex-wrap items-center justify-end gap-2">
      {aside && <div className="mr-auto">{aside}</div>}
      {children}
    </div>
  );
}
