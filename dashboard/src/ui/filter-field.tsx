import { Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { IconButton } from '#ui/button.tsx';
import { useHotkey } from '#ui/hotkeys.ts';

interface FilterFieldProps {
  label: string;
  /** From the address of the page. */
  value: string;
  /** Into the address of the page. */
  onChange: (value: string) => void;
}

/** Narrows a list. `/` goes into it; what is typed stands in the address a moment later. */
export function FilterField({ label, value, onChange }: FilterFieldProps) {
  const [text, setText] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useHotkey('/', label, () => input.current?.focus());
  // The address may change by itself: back, forward, a link.
  useEffect(() => setText(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const change = (next: string, delay: number) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onChange(next), delay);
  };
  return (
    <div className="relative w-full max-w-72">
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-faint"
      />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={label}
        className="field-box pr-8 pl-8 [&::-webkit-search-cancel-button]:hidden"
        value={text}
        onChange={(event) => change(event.target.value, 150)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && text !== '') change('', 0);
        }}
      />
      {text !== '' && (
        <IconButton
          size="sm"
          label="Clear the filter"
          className="absolute top-1/2 right-0.5 -translate-y-1/2"
          onClick={() => {
            change('', 0);
            input.current?.focus();
          }}
          icon={<X aria-hidden />}
        />
      )}
    </div>
  );
}
