import { Link, type LinkProps } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/** Parts of a screen, each with an address of its own. */
export function TabLinks({ label, tabs }: { label: string; tabs: { text: string; link: LinkProps }[] }) {
  const nav = useRef<HTMLElement>(null);
  // On a phone the row scrolls, and the tab of this screen may be beyond its edge. The router names the active one after
  // the first rendering, and again when the address changes.
  useEffect(() => {
    const row = nav.current;
    if (!row) return;
    const show = () => {
      const active = row.querySelector<HTMLElement>('[data-status=active]');
      if (!active) return;
      const end = active.offsetLeft + active.offsetWidth - row.offsetLeft - row.clientWidth;
      row.scrollLeft = end > 0 ? end + row.clientWidth / 4 : 0;
    };
    show();
    const watcher = new MutationObserver(show);
    watcher.observe(row, { subtree: true, attributeFilter: ['data-status'] });
    return () => watcher.disconnect();
  }, []);
  return (
    <nav ref={nav} aria-label={label} className="mb-6 flex gap-1 overflow-x-auto border-b">
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
