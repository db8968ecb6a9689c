import { Dialog } from '@base-ui/react/dialog';
import { Sidebar } from '#shell/sidebar.tsx';
import { backdropClass, modalMark } from '#ui/dialog.tsx';

/** The sidebar on a phone, from the left. */
export default function Drawer({ onClose, onSearch }: { onClose: () => void; onSearch: () => void }) {
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropClass} />
        <Dialog.Popup
          {...modalMark}
          aria-label="Navigation"
          className="fixed inset-y-0 left-0 z-40 w-72 max-w-[85vw] bg-canvas shadow-high transition-transform duration-200 ease-out data-ending-style:-translate-x-full data-starting-style:-translate-x-full"
        >
          <Sidebar onSearch={onSearch} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
