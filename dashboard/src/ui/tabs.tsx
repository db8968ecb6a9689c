import { Link, type LinkProps } from '@tanstack/react-router';

/** Parts of a screen, each with an address of its own. */
export function TabLinks({ label, tabs }: { label: string; tabs: { text: string; link: LinkProps }[] }) {
  return (
    <nav aria-label={label} className="mb-6 flex gap-1 overflow-x-auto border-b">
      {tabs.map(({ text, link }) => (
        <Link
          key={text}
          {...link}
          activeOptions={{ exact: true, includeSearch: false }}
          className="-mb-px border-b-2 border-transparent px-2.5 py-2 font-medium pointer-coarse:py-3 whitespace-nowrap text-muted hover:text-ink data-[status=active]:border-accent data-[status=active]:text-ink"
        >
          {text}
        </Link>
      ))}
    </nav>
  );
}
