import { Search } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { CodeBlock } from '#ui/code-block.tsx';
import { useHotkey } from '#ui/hotkeys.ts';

interface LookUpProps {
  /** What to type, for screen readers and for the help of keys. */
  label: string;
  placeholder: string;
  /** From the address of the page. */
  value: string;
  /** Into the address of the page. */
  onLookUp: (value: string) => void;
  busy?: boolean;
  hint?: ReactNode;
}

/** A question to the API in one line. The answer has an address of its own: what is asked stands in it. */
export function LookUp({ label, placeholder, value, onLookUp, busy = false, hint }: LookUpProps) {
  const [text, setText] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setText(value), [value]);
  useHotkey('/', label, () => input.current?.focus());
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== '') onLookUp(text.trim());
        }}
      >
        <div className="flex gap-2">
          <div className="relative min-w-0 flex-1">
            <Search
              aria-hidden
              className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-faint"
            />
            <input
              ref={input}
              // biome-ignore lint/a11y/noAutofocus: to ask is all that this page is for.
              autoFocus={value === ''}
              aria-label={label}
              placeholder={placeholder}
              className="field-box h-10 pl-9 text-base"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          </div>
          <Button type="submit" look="primary" size="lg" busy={busy}>
            Look up
          </Button>
        </div>
        {hint && <p className="mt-2 text-faint">{hint}</p>}
      </form>
    </search>
  );
}

/** An answer for people, and the same for programs beside it; below it on a phone. */
export function BesideJson({ json, label, children }: { json: unknown; label: string; children: ReactNode }) {
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]">
      <div className="min-w-0 space-y-4">{children}</div>
      <div className="min-w-0 lg:sticky lg:top-6 [&_pre]:max-h-[70dvh] [&_pre]:overflow-y-auto">
        <CodeBlock label={label} code={JSON.stringify(json, null, 2)} />
      </div>
    </div>
  );
}
