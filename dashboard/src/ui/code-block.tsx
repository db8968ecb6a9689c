import { CopyButton } from '#ui/copy-button.tsx';

/** Text for a terminal or a file, to be copied. */
export function CodeBlock({ code, label }: { code: string; label?: string }) {
  return (
    <div className="min-w-0">
      {label && <div className="mb-1.5 text-xs text-faint">{label}</div>}
      <div className="flex items-start rounded-md border bg-sunken">
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
          tabIndex={0}
          className="min-w-0 flex-1 overflow-x-auto p-3 font-mono text-xs leading-5"
        >
          <code>{code}</code>
        </pre>
        <div className="p-1.5 pl-0">
          <CopyButton text={code} />
        </div>
      </div>
    </div>
  );
}

/** An id, a slug, an address: short text of machines, with its copy button. */
export function Mono({ children, copy = false }: { children: string; copy?: boolean }) {
  return (
    <span className="inline-flex max-w-full items-center gap-0.5">
      <span className="truncate font-mono text-xs">{children}</span>
      {copy && <CopyButton text={children} />}
    </span>
  );
}
