import { Dialog } from '#ui/dialog.tsx';
import { activeHotkeys } from '#ui/hotkeys.ts';
import { Keys } from '#ui/keys.tsx';

const everywhere = [
  { keys: '↑ ↓', text: 'Move between the rows of a list' },
  { keys: 'Enter', text: 'Open the row' },
  { keys: 'Esc', text: 'Close what is open' },
];

/** The keys that work on this screen. */
export default function ShortcutsHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title="Keys">
      <ul className="divide-y">
        {[...activeHotkeys(), ...everywhere].map(({ keys, text }) => (
          <li key={keys + text} className="flex items-center justify-between gap-4 py-2">
            {text}
            <Keys text={keys} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
