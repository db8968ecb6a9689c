import type { EnvVar } from '@mainstay/sdk';
import { Eye, EyeOff, Lock, Pencil } from 'lucide-react';
import { useState } from 'react';
import { useChange } from '#areas/variables/data.ts';
import { IconButton } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';

interface ValueCellProps {
  variable: EnvVar;
  canChange: boolean;
  /** The value with its references replaced, where that is what is looked at; null when it is made of a secret. */
  resolved: string | null | undefined;
}

/** Hidden until asked for: somebody may look over the shoulder. A sensitive one is never shown, and can be replaced. */
export function ValueCell({ variable, canChange, resolved }: ValueCellProps) {
  const [isShown, setShown] = useState(false);
  const [isEditing, setEditing] = useState(false);
  const value = resolved === undefined ? variable.value : resolved;
  if (isEditing) return <ValueEditor variable={variable} onClose={() => setEditing(false)} />;
  return (
    <span className="flex items-center gap-0.5">
      {value === null ? (
        <span className="mr-auto inline-flex items-center gap-1.5 text-faint">
          <Lock aria-hidden className="size-3.5" />
          Never shown
        </span>
      ) : (
        <>
          <span className="mr-auto min-w-0 truncate font-mono text-xs">
            {isShown ? value || <span className="text-faint">empty</span> : <Dots />}
          </span>
          <IconButton
            size="sm"
            label={isShown ? `Hide ${variable.key}` : `Show ${variable.key}`}
            onClick={() => setShown(!isShown)}
            icon={isShown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
          />
          <span className="max-sm:hidden">
            <CopyButton text={value} label={`Copy ${variable.key}`} />
          </span>
        </>
      )}
      {canChange && (
        <IconButton
          size="sm"
          label={variable.sensitive ? `Replace ${variable.key}` : `Edit ${variable.key}`}
          onClick={() => setEditing(true)}
          icon={<Pencil aria-hidden />}
        />
      )}
    </span>
  );
}

function Dots() {
  return (
    <span className="text-faint">
      <span aria-hidden>••••••••</span>
      <span className="sr-only">hidden</span>
    </span>
  );
}

/** Enter saves, Escape leaves it as it was. */
function ValueEditor({ variable, onClose }: { variable: EnvVar; onClose: () => void }) {
  const before = variable.value ?? '';
  const [text, setText] = useState(before);
  const { mutate } = useChange();
  const hasLines = before.includes('\n') || text.includes('\n');
  const save = () => {
    // Leaving the field of a secret empty means to leave the secret alone.
    if (text !== before) mutate({ variable, change: { value: text } });
    onClose();
  };
  return (
    <textarea
      // biome-ignore lint/a11y/noAutofocus: it was opened to be typed into.
      autoFocus
      rows={1}
      aria-label={`Value of ${variable.key}`}
      placeholder={variable.sensitive ? 'New value' : undefined}
      className="field-box my-1 block h-8 min-h-8! resize-none py-1.5 font-mono text-xs leading-5"
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onFocus={({ target }) => target.select()}
      onBlur={save}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape') onClose();
        const isEnter = event.key === 'Enter' && !event.nativeEvent.isComposing;
        // In a value of several lines, Enter is one more; with Ctrl or ⌘ it saves.
        if (isEnter && !event.shiftKey && (!hasLines || event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          save();
        }
      }}
    />
  );
}
