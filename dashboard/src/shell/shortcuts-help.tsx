import { Dialog } from '#ui/dialog.tsx';
import { activeHotkeys } from '#ui/hotkeys.ts';
import { Keys } from '#ui/keys.tsx';

const everywhere = [
  { keys: 'j k', text: 'Next and previous row' },
  { keys: 'Enter', text: 'Open the row' },
  { keys: 'x', text: 'Select the row' },
  { keys: 'Esc', text: 'Close' },
];

/** The shortcuts that work on this screen. */
export default function ShortcutsHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title="Keyboard shortcuts">
      <ul className="divide-y">
        {[...activeHotkeys().filter(({ keys }) => keys !== 'j'), ...everywhere].map(({ keys, text }) => (
          <li key={keys + text} className="flex items-center justify-between gap-4 py-2">
            {text}
            <Keys text={keys} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
