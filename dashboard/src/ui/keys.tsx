const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Keys to press, such as `mod+k` or `g k`; `mod` is ⌘ or Ctrl. */
export function Keys({ text }: { text: string }) {
  return (
    <span className="inline-flex gap-0.5 font-sans">
      {text.split(/[ +]/).map((key) => (
        <kbd
          key={key}
          className="inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-sm border border-line bg-sunken px-1 font-sans text-[0.68rem] text-muted"
        >
          {key === 'mod' ? (isApple ? '⌘' : 'Ctrl') : key.length === 1 ? key.toUpperCase() : key}
        </kbd>
      ))}
    </span>
  );
}
